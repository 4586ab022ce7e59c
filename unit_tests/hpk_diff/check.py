# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests hpk-diff on HPK_HASH files that the test writes itself. usage: check.py CASE HPK_DIFF

A case is a function. diff(a, b, *options) writes both runs, runs hpk-diff, and returns exit status, text
and the JSON object.
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from hash_files import Run, View  # noqa: E402, beside this file

case, program = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def expect(condition, what):
    if not condition:
        sys.exit(f"hpk_diff.{case}: {what}")


def call(*arguments, **environment):
    return subprocess.run([program, *arguments], capture_output=True, encoding="utf-8", timeout=50,
                          env={**os.environ, **environment})


def report(*arguments, status=None):
    """Returns the exit status, text and JSON of one comparison. Both forms must agree on the status."""
    done, as_json = call(*arguments), call("--json", *arguments)
    expect(done.returncode in (0, 1) and done.stderr == "", f"{done.returncode} {done.stderr}")
    expect(as_json.returncode == done.returncode, "--json has another exit status")
    found = json.loads(as_json.stdout)
    expect(found["equal"] == (done.returncode == 0), "equal in JSON")
    expect(status is None or done.returncode == status, f"exit status {done.returncode}\n{done.stdout}")
    return done.stdout, found


def diff(a, b, *options, status=1):
    a.write("a.hash")
    b.write("b.hash")
    return report(*options, "a.hash", "b.hash", status=status)


def error(*arguments):
    """Returns the message of a comparison that hpk-diff rejects."""
    done = call(*arguments)
    expect(done.returncode == 2 and done.stdout == "", f"{done.returncode} {done.stdout}{done.stderr}")
    expect(done.stderr.startswith("hpk-diff: "), done.stderr)
    return done.stderr.removeprefix("hpk-diff: ").rstrip("\n")


def has(text, *parts):
    for part in parts:
        expect(part in text, f"no '{part}' in\n{text}")


def values_of(found):
    return found["first"]["views"][0]["values"]


def one(values, element="f64", **facts):
    """Returns a run of one launch with one View."""
    options = {k: facts.pop(k) for k in ("shape", "flags", "type", "hash", "has_values") if k in facts}
    return Run(**facts).launch("update", View("u", values, element, **options))


def equal():
    run = Run().launch("a", View("u", [1.0, 2.0]), View("v", [3], "i32")).launch("b").launch("a", View("u", [2.0, 2.0]))
    text, found = diff(run, run, status=0)
    expect(text == "run a and run b are equal: 3 launches, 3 Views\n", text)
    expect(found["launches"] == 3 and found["views"] == 3 and found["first"] is None, str(found))
    expect(found["notes"] == [] and found["facts"] == {}, str(found))


def first_bit():
    grid = [0.1 * k for k in range(200)]
    a = Run().launch("fill", View("u", grid, shape="10x20")).launch("update", View("u", grid, shape="10x20"))
    other = list(grid)
    other[117] = math.nextafter(grid[117], 100)
    other[118] += 2.5
    b = Run().launch("fill", View("u", grid, shape="10x20"))
    b.launch("update", View("u", other, shape="10x20"), file="/src/app.cpp", line=14)
    text, found = diff(a, b)
    has(text, 'first difference: launch 2, the 1st parallel_for "update" (app.cpp:12); in b: /src/app.cpp:14\n',
        'View "u" (double, 10x20): 2 of 200 elements differ, the first at (5, 17):\n',
        f"    a: {grid[117]}\n    b: {other[117]}\n", " ulp, 2.5.\n", "No later launch is in both runs.")
    values = values_of(found)
    expect(values["elements"] == 200 and values["different"] == 2 and values["first_index"] == [5, 17], str(values))
    expect(values["first"] == {"a": repr(grid[117]), "b": repr(other[117])}, str(values))
    expect(values["max_absolute"] == 2.5 and values["max_ulp"] > 1e14, str(values))
    first = found["first"]
    expect(first["kind"] == "values" and first["a"]["line"] == 12 and first["b"]["line"] == 14, str(first))
    expect(first["a"]["launch"] == 2 and first["a"]["nth"] == 1 and first["second_runs"] is None, str(first))


def several_views():
    def run(shift):
        views = [View(f"v{k}", [k + shift if k % 2 else k], "i32") for k in range(22)]
        return Run().launch("update", *views)
    text, found = diff(run(0), run(1))
    has(text, 'View "v1" (int, 1): 1 of 1 element differs, the first at (0):', "a: 1\n", "b: 2\n",
        '    View "v3" (int, 1): 1 of 1 element\n', "    and 3 more\n")
    expect(text.count("1 of 1 element\n") == 8, text)
    expect([v["position"] for v in found["first"]["views"]] == list(range(1, 22, 2)), str(found))


def ulp():
    a = Run().launch("x", View("u", [1.0, -2.0])).launch("y", View("v", [1.0], "f32"))
    b = Run().launch("x", View("u", [math.nextafter(1, 2), -2.0]))
    b.launch("y", View("v", [1 + 3 * 2.0 ** -23], "f32"))
    text, found = diff(a, b)
    expect(values_of(found)["max_ulp"] == 1, str(found))
    text, found = diff(a, b, "--ulp", "1")
    expect(found["first"]["a"]["launch"] == 2 and values_of(found)["max_ulp"] == 3, text)
    has(text, "1 of 1 element differs by more than 1 ulp", "note: 1 View has other bits within 1 ulp")
    text, found = diff(a, b, "--ulp", "3", status=0)
    has(text, "run a and run b are equal: 2 launches, 2 Views", "note: 2 Views have other bits within 3 ulp")
    # Integers must be equal. Without values hpk-diff cannot apply --ulp.
    expect(diff(one([1], "i32"), one([2], "i32"), "--ulp", "5")[1]["first"]["kind"] == "values", "integers")
    text, found = diff(one([1.0], has_values=False), one([math.nextafter(1, 2)], has_values=False), "--ulp", "5")
    has(text, "note: 1 View of other hashes counts as different: --ulp needs",
        "HPK_HASH=a.hash,keep=1 ./app 7\n", "hpk-diff --ulp 5 a.hash b.hash\n")


def signed_zero():
    text, found = diff(one([0.0]), one([-0.0]))
    has(text, "a: 0\n", "b: -0\n", "The largest difference: 0 ulp, 0.")
    expect(values_of(found)["max_ulp"] == 0, str(found))
    diff(one([0.0]), one([-0.0]), "--ulp", "0", status=0)


def nan():
    other = struct.unpack("<d", bytes.fromhex("010000000000f87f"))[0]
    text, found = diff(one([1.0, math.nan, math.inf]), one([math.nan, other, 2.0]))
    has(text, "a: 1\n", "b: nan\n", "1 number is NaN in b only", "1 number is NaN in both, with other bits")
    values = values_of(found)
    expect(values["nan"] == {"a": 0, "b": 1} and values["other_nans"] == 1, str(values))
    expect(values["max_absolute"] == "inf" and values["different"] == 3, str(values))
    # NaNs have the same text, so their bits are printed; --ulp treats them as equal.
    text, found = diff(one([math.nan]), one([other]))
    has(text, "a: nan, bits 0x7ff8000000000000\n", "b: nan, bits 0x7ff8000000000001\n")
    diff(one([math.nan]), one([other]), "--ulp", "0", status=0)
    diff(one([math.nan]), one([1.0]), "--ulp", "1000")


def small_floats():
    half = {0x2e66: "0.1", 0x3c00: "1", 0x3c01: "1.001", 0x7bff: "65504", 0x0001: "6e-08", 0x7c00: "inf", 0xbc00: "-1"}
    for bits, text in half.items():
        found = diff(one([2.0], "f16"), one(struct.pack("<H", bits), "f16", shape="1"))[1]
        shown = values_of(found)["first"]["b"]
        expect(struct.unpack("<H", struct.pack("<e", float(shown)))[0] == bits, f"{bits:x} is shown as {shown}")
        expect(len(shown) <= len(text) + 1, f"{shown} is longer than {text}")
    found = diff(one(b"\x80\x3f", "bf16", shape="1"), one(b"\xcd\x3d", "bf16", shape="1"))[1]
    expect(values_of(found)["first"] == {"a": "1", "b": "0.1"}, str(found))
    expect(values_of(found)["max_ulp"] == 0x3f80 - 0x3dcd, str(found))


def long_double():
    def f80(mantissa, exponent, rest=bytes(6)):
        return struct.pack("<QH", mantissa, exponent) + rest
    # The last 6 bytes are padding.
    a, b = f80(1 << 63, 16383), f80((1 << 63) + 2, 16383, b"123456")
    found = diff(one(a + a, "f80", shape="2"), one(f80(1 << 63, 16383, b"abcdef") + b, "f80", shape="2"))[1]
    values = values_of(found)
    expect(values["different"] == 1 and values["first_index"] == [1] and values["max_ulp"] == 2, str(values))
    expect(values["first_bits"]["b"] == "0x3fff8000000000000002", str(values))
    expect(values["first"]["a"] in ("1", "0x1p+0") and values["max_absolute"] == 2.0 ** -62, str(values))
    quad = struct.pack("<QQ", 1, 0x3fff000000000000)
    found = diff(one(struct.pack("<QQ", 0, 0xbfff800000000000), "f128", shape="1"), one(quad, "f128", shape="1"))[1]
    expect(values_of(found)["first"]["a"] in ("-0x1.8p+0", "-1.5"), str(found))


def integers():
    text, found = diff(one([-2 ** 63, 5], "i64"), one([2 ** 63 - 1, 5], "i64"))
    has(text, "1 of 2 elements differs", "a: -9223372036854775808\n", "b: 9223372036854775807\n",
        "The largest difference: 18446744073709551615.\n")
    expect(values_of(found)["max_absolute"] == 2 ** 64 - 1 and values_of(found)["max_ulp"] is None, str(found))
    for element, a, b in (("i8", -1, 1), ("u8", 255, 3), ("i16", -7, 9), ("u16", 65535, 0), ("i32", -5, 6),
                          ("u32", 2 ** 32 - 1, 1), ("u64", 2 ** 64 - 1, 0)):
        values = values_of(diff(one([a], element), one([b], element))[1])
        expect(values["first"] == {"a": str(a), "b": str(b)} and values["max_absolute"] == abs(a - b), str(values))


def booleans():
    text, found = diff(one([True, False], "b8"), one([True, True], "b8"))
    has(text, "the first at (1):", "a: false\n", "b: true\n")
    expect("largest" not in text and values_of(found)["max_absolute"] is None, text)
    expect(values_of(diff(one([True], "b8"), one(b"\x07", "b8", shape="1"))[1])["first"]["b"] == "0x07", "no bool")


def complex_numbers():
    text, found = diff(one([1.5, 2.0, 3.0, 4.0], "f64*2"), one([1.5, 2.0, 3.0, -4.0], "f64*2"))
    has(text, "1 of 2 elements differs, the first at (1):", "a: (3, 4)\n", "b: (3, -4)\n")
    expect(values_of(found)["max_absolute"] == 8, str(found))
    expect(values_of(found)["first_bits"]["a"] == "(0x4008000000000000, 0x4010000000000000)", str(found))


def opaque():
    text, found = diff(one(bytes(range(6)), "x3", shape="2"), one(bytes([0, 1, 2, 3, 9, 5]), "x3", shape="2"))
    has(text, 'View "u" (x3, 2)', "the first at (1):", "a: 03 04 05\n", "b: 03 09 05\n")
    long = diff(one(bytes(40), "x40", shape="1"), one(bytes(39) + b"1", "x40", shape="1"))[0]
    has(long, "a: " + " ".join(["00"] * 32) + " ..., byte 39: 00\n", "..., byte 39: 31\n")
    long = diff(one(list(range(20)), "i32*10"), one([*range(19), 7], "i32*10"))[0]
    has(long, "the first at (1):", "a: (10, 11, 12, 13, 14, 15, 16, 17, ...), number 9: 19\n", "...), number 9: 7\n")
    # Element types that hpk-diff does not know.
    has(diff(one(bytes(16), "i128", shape="1"), one(b"\1" + bytes(15), "i128", shape="1"))[0], "b: 01 00 00")


def never_written():
    def run(byte, *words, element="f64"):
        size = {"f64": 8, "i32": 4, "i16": 2}[element]
        content = b"".join(bytes([byte] * size) if w is None else w.to_bytes(size, "little") for w in words)
        return one(content, element, shape=str(len(words)), unset=f"{byte:02x}", hash=hash(words) & 0xffff)
    # Only the third element differs: elements that neither run has written are equal, whatever byte fills
    # them.
    text, found = diff(run(0xc9, None, 1, 2, None), run(0xa7, None, 1, None, None))
    has(text, "1 of 4 elements differs, the first at (2):", "a: 1e-323\n",
        "b: never written (this run fills memory with a7)\n", "1 element was never written in b, but in a.")
    values = values_of(found)
    expect(values["first_never_written"] == {"a": False, "b": True} and values["never_written"] == {"a": 0, "b": 1},
           str(values))
    expect(values["max_ulp"] is None, "memory that was never written has a distance")
    # The fill byte of the other run, and 2-byte elements, are values.
    expect(values_of(diff(run(0xc9, 1, element="i32"), run(0xa7, 0xc9c9c9c9, element="i32"))[1])["first"]["b"] ==
           str(0xc9c9c9c9 - 2 ** 32), "the other byte")
    expect(values_of(diff(run(0xc9, 5, element="i16"), run(0xa7, None, element="i16"))[1])["first"]["b"] ==
           str(0xa7a7 - 2 ** 16), "two bytes")
    # Equal bytes, which only one of the runs has written.
    values = values_of(diff(run(0xc9, None), run(0xa7, 0xc9c9c9c9c9c9c9c9))[1])
    expect(values["different"] == 1 and values["first_never_written"] == {"a": True, "b": False}, str(values))
    # In a run that fills no memory, all elements count as written.
    a = one(bytes([0xc9] * 8), shape="1", unset=None)
    expect(values_of(diff(a, one([1.0]))[1])["first_never_written"]["a"] is False, "no unset")


def partly_unset():
    # Hashes treat each word separately: the second numbers are equal.
    def run(byte, first, second):
        return one(struct.pack("<d", first) + (bytes([byte] * 8) if second is None else struct.pack("<d", second)),
                   "f64*2", shape="1", unset=f"{byte:02x}", hash=hash((first, second)) & 0xffff)
    text, found = diff(run(0xc9, 1.0, None), run(0xa7, 2.0, None))
    has(text, "a: (1, unset)\n", "b: (2, unset)\n", "The largest difference: 4503599627370496 ulp, 1.\n")
    text, found = diff(run(0xc9, 1.0, None), run(0xa7, 1.0, 3.0))
    has(text, "a: (1, unset)\n", "b: (1, 3)\n", "1 element was never written in a, but in b")
    expect(values_of(found)["first_never_written"] == {"a": False, "b": False}, str(found))


def rank_0():
    a = Run().launch("sum", View("", [10.0], shape="-", flags="r"), pattern="parallel_reduce")
    b = Run().launch("sum", View("", [11.0], shape="-", flags="r"), pattern="parallel_reduce")
    text, found = diff(a, b)
    has(text, 'the 1st parallel_reduce "sum"', "the result (double): the value differs:\n", "a: 10\n", "b: 11\n")
    expect(values_of(found)["first_index"] == [] and found["first"]["views"][0]["shape"] == [], str(found))
    has(diff(one([1.0], shape="-"), one([2.0], shape="-"))[0], 'View "u" (double): the value differs')


def rank_3():
    values = [0] * 60
    other = values[:59] + [1]
    text, found = diff(one(values, "i32", shape="3x4x5"), one(other, "i32", shape="3x4x5"))
    has(text, "(int, 3x4x5)", "the first at (2, 3, 4):")
    expect(found["first"]["views"][0]["shape"] == [3, 4, 5], str(found))
    # Blocks are read one at a time.
    large = bytes(3 << 20)
    text, found = diff(one(large, "u8", shape="3x1024x1024"),
                       one(large[:-2] + b"\1\0", "u8", shape="3x1024x1024"))
    expect(values_of(found)["first_index"] == [2, 1023, 1022] and values_of(found)["different"] == 1, text)
    diff(one(b"", shape="0x5"), one(b"", shape="0x5"), status=0)


if __name__ == "__main__":
    import more_cases
    import self_cases
    cases = {**globals(), **vars(more_cases), **vars(self_cases)}
    cases[case]()
