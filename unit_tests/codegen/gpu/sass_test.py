# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests sass.py and the rules of machine_code.py on code with known results. Needs no compiler."""
import sys
import unittest

sys.dont_write_bytecode = True
import machine_code  # noqa: E402
from sass import Kernel, Unit, Work, bytes_in_flight, bytes_stored, counts, kernels  # noqa: E402


def kernel(text):
    """Makes a kernel from lines without addresses. A label is on a separate line and ends with a colon."""
    return Kernel("k", [line if line.strip().endswith(":") else f"/*0000*/ {line.strip()} ;"
                        for line in text.strip().splitlines()])


def names(code):
    return [one.name for one in code]


GUARDED = """
    S2R R0, SR_TID.X
    ISETP.GE.AND P0, PT, R0, UR4, PT
    @P0 EXIT
    LDG.E.64 R2, desc[UR4][R4.64]
    LDG.E.64 R6, desc[UR4][R8.64+0x8]
    DADD R2, R2, R6
    STG.E.64 desc[UR4][R4.64], R2
    EXIT
.L_x_9:
    BRA `(.L_x_9)
    NOP
"""

# A loop with one element per round, one with four, and the last block's with eight.
FOLD = """
    MOV R0, RZ
    @P0 BRA `(.L_few)
.L_four:
    LDG.E.64 R2, [R20.64]
    LDG.E.64 R4, [R20.64+0x8]
    LDG.E.64 R6, [R20.64+0x10]
    LDG.E.64 R8, [R20.64+0x18]
    DADD R10, R10, R2
    DADD R10, R10, R4
    DADD R10, R10, R6
    DADD R10, R10, R8
    @!P1 BRA `(.L_four)
.L_few:
    @P2 BRA `(.L_join)
.L_one:
    LDG.E.64 R2, [R20.64]
    DADD R10, R10, R2
    @!P3 BRA `(.L_one)
.L_join:
    SHFL.DOWN PT, R2, R10, 0x10, 0x1f
    DADD R10, R10, R2
    @!P4 BRA `(.L_join)
    STG.E.64 [R22.64], R10
    @P5 ATOMG.E.ADD.STRONG.GPU PT, R6, [R6.64], R11
    @P6 EXIT
.L_last:
    LDG.E.64 R2, [R20.64]
    LDG.E.64 R4, [R20.64]
    LDG.E.64 R6, [R20.64]
    LDG.E.64 R8, [R20.64]
    LDG.E.64 R12, [R20.64]
    @!P1 BRA `(.L_last)
    EXIT
"""


class Path(unittest.TestCase):
    def test_does_its_work(self):
        self.assertEqual(len(kernel(GUARDED).path(Work())), 3)
        self.assertEqual(len(kernel(GUARDED).path(Work(16, 8))), 8)
        self.assertIsNone(kernel(GUARDED).path(Work(17)))
        self.assertIsNone(kernel(GUARDED).path(Work(texts=(("^BAR", 1),))))

    def test_counts_the_width_of_accesses(self):
        code = kernel("LDG.E.128.CONSTANT R4, [R2.64]\n LDG.E.U8 R8, [R2.64]\n LDG.E R9, [R2.64]\n EXIT")
        self.assertEqual([one.bits for one in code.code], [128, 8, 32, 32])
        self.assertEqual(len(code.path(Work(21))), 4)

    def test_does_not_trap(self):
        code = kernel("""
            @P0 BRA `(.L_bad)
            MOV R0, R1
            MOV R0, R1
            EXIT
        .L_bad:
            BPT.TRAP 0x1
            EXIT
        """)
        self.assertEqual(names(code.path(Work())), ["BRA", "MOV", "MOV", "EXIT"])

    def test_calls_functions_of_the_kernel_only(self):
        division = """
            @!P0 BRA `(.L_short)
            CALL.REL.NOINC `($division)
            BRA `(.L_end)
        .L_short:
            @P1 BRA `(.L_fail)
            MUFU.RCP R0, R0
            {}
        .L_end:
            EXIT
        .L_fail:
            CALL.ABS.NOINC R8
            EXIT
        $division:
            MOV R1, R2
            MOV R1, R2
            RET.REL.NODEC R8 `(k)
        """
        self.assertEqual(counts(kernel(division.format("NOP")).path(Work()))["calls"], 0)
        slow = kernel(division.format("\n".join(["NOP"] * 9))).path(Work())
        self.assertEqual(names(slow), ["BRA", "CALL", "MOV", "MOV", "RET", "BRA", "EXIT"])

    def test_goes_on_where_lanes_meet(self):
        code = kernel("""
            BSSY B0, `(.L_meet)
            @P0 BRA `(.L_far)
            BSYNC B0
            NOP
        .L_meet:
            EXIT
        .L_far:
            MOV R0, R1
            BSYNC B0
            BPT.TRAP 0x1
        """)
        self.assertEqual(names(code.path(Work())), ["BSSY", "BRA", "BSYNC", "EXIT"])
        self.assertEqual(names(code.path(Work(texts=(("^MOV", 1),)))), ["BSSY", "BRA", "MOV", "BSYNC", "EXIT"])

    def test_passes_loops_as_often_as_needed(self):
        fold = kernel(FOLD)
        self.assertEqual(names(fold.path(Work(texts=(("^SHFL", 3),)))).count("SHFL"), 3)
        self.assertEqual(names(fold.path(Work(load=8))).count("LDG"), 1)
        # For four elements, the loop of four needs fewer instructions.
        self.assertEqual(names(fold.path(Work(load=32))).count("BRA"), 4)

    def test_takes_no_branch_of_lanes_that_are_apart(self):
        code = kernel("@!P0 BRA.DIV UR4, `(.L_apart)\n MOV R0, R1\n EXIT\n.L_apart:\n EXIT")
        self.assertEqual(len(code.path(Work())), 3)


class HotLoop(unittest.TestCase):
    def test_has_the_most_work_before_the_last_block(self):
        blocks, code = kernel(FOLD).hot_loop(Unit(load=8))
        self.assertEqual((len(blocks), len(code), Unit(load=8).amount(code)), (1, 9, 4))

    def test_is_an_innermost_one(self):
        code = kernel("""
        .L_outer:
            LDG.E.128 R4, [R2.64]
        .L_inner:
            LDS.64 R8, [R9]
            DFMA R10, R4, R8, R10
            @P0 BRA `(.L_inner)
            @P1 BRA `(.L_outer)
            EXIT
        """)
        self.assertEqual(len(code.hot_loop(Unit(name="DFMA"))[1]), 3)
        self.assertIsNone(code.hot_loop(Unit(load=16)))

    def test_takes_the_branch_with_the_most_work(self):
        code = kernel("""
        .L_loop:
            @P0 BRA `(.L_skip)
            LDG.E.64 R4, [R2.64]
            @P1 BRA `(.L_skip)
            NOP
        .L_skip:
            @P2 BRA `(.L_loop)
            EXIT
        """)
        self.assertEqual(names(code.hot_loop(Unit(load=8))[1]), ["BRA", "LDG", "BRA", "BRA"])

    def test_is_none_where_code_is_straight(self):
        self.assertIsNone(kernel(GUARDED).hot_loop(Unit(load=8)))


class Listing(unittest.TestCase):
    def test_is_split_into_kernels(self):
        found = kernels("\t.section\t.text.first,\"ax\",@progbits\n.text.first:\n"
                        "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
                        "        /*0010*/               @P0 EXIT ;\n"
                        "\t.section\t.nv.info,\"\"\n        /*0000*/ .word 1 ;\n"
                        "\t.section\t.text.second,\"ax\"\n        /*0000*/                   EXIT ;\n")
        self.assertEqual({name: len(one.code) for name, one in found.items()}, {"first": 2, "second": 1})
        self.assertEqual([str(one) for one in found["first"].code], ["LDC R1, c[0x0][0x28]", "@P0 EXIT "])


class Counts(unittest.TestCase):
    def test_of_bytes_in_flight(self):
        self.assertEqual(bytes_in_flight(kernel(GUARDED).code), 16)
        _, loop = kernel(FOLD).hot_loop(Unit(load=8))
        self.assertEqual(bytes_in_flight(loop, 2), 32)
        late = kernel("LDG.E.128 R4, [R2.64]\n DADD R8, R8, R6\n LDG.E R5, [R2.64]\n EXIT")
        self.assertEqual(bytes_in_flight(late.code), 16)

    def test_of_bytes_stored(self):
        code = kernel("STG.E.64 [R2.64], R4\n ST.E [R2.64], R4\n STG.E.128.STRONG.GPU [R2.64], R4\n"
                      "STS [R2], R4\n EXIT")
        self.assertEqual(bytes_stored(code.code), 12)

    def test_of_what_costs_more(self):
        code = kernel("LD.E.64 R2, [R4.64]\n LDS R3, [R5]\n STL [R1], R3\n MEMBAR.SC.GPU\n CCTL.IVALL\n"
                      "BAR.SYNC 0x0\n SHFL.IDX PT, R1, R2, R3, 0x1f\n REDG.E.ADD [R2], R3\n"
                      "ATOMG.E.ADD PT, R1, [R2], R3\n EXIT").code
        self.assertEqual(counts(code), {"accesses": 1, "shared": 1, "generic": 1, "local": 1, "calls": 0,
                                        "barriers": 1, "fences": 2, "shuffles": 1, "atomics": 1})


class Reports(unittest.TestCase):
    def test_of_ptxas(self):
        text = ("ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
                "    80 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
                "ptxas info    : Used 57 registers, used 0 barriers, 96 bytes cumulative stack size\n"
                "ptxas info    : Function properties for f\n"
                "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n")
        self.assertEqual(machine_code.of_ptxas(text), {"k": {"registers": 57, "spills": 12, "stack": 96}})

    def test_of_ptx(self):
        text = (".func  (.param .b32 func_retval0) f\n(\n)\n;\n.visible .entry k(\n)\n.maxntid 1024\n{\n"
                "\tld.param.b64 \t%rd1, [k_param_0];\n@%p1 ld.global.v2.b64 {%rd2, %rd3}, [%rd1];\n"
                "\tld.relaxed.gpu.global.b32 %r1, [%rd1];\n\tst.b8 [%rd1], %r2;\n\tfence.acq_rel.gpu;\n"
                "\t{\n\tcall.uni (retval0),\n\tf,\n(1);\n\t}\n\tdiv.u32 %r1, %r2, %r3;\n\tdiv.rn.f64 %d1, %d2, %d3;\n"
                "\tbar.sync 0;\n\tshfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;\n}\n"
                ".func  (.param .b32 func_retval0) f(\n)\n{\n\tst.local.b32 [%rd1], %r1;\n\tf;\n}\n"
                ".visible .entry other(\n)\n{\n\tbar.sync 0;\n}\n")
        self.assertEqual(machine_code.of_ptx(text)["k"], {
            "PTX local": 1, "PTX calls": 1, "PTX divisions": 1, "PTX barriers": 1, "PTX fences": 1,
            "PTX shuffles": 1, "PTX generic": 1, "PTX bits": 128})
        self.assertEqual(machine_code.of_ptx(text)["other"]["PTX barriers"], 1)


class Limits(unittest.TestCase):
    LIMITS = machine_code.read_limits("# text\nnvcc 13.0\nk | instructions 50, in flight 8, PTX calls 1 | a reason\n")

    def judged(self, **metrics):
        hand = {"instructions": 20, "registers": 10, "in flight": 16}
        mine = {name.replace("_", " "): value for name, value in metrics.items()}
        errors, hints, missed = machine_code.judged("k", mine, hand, self.LIMITS[1])
        return len(errors), len(hints), missed

    def test_are_read(self):
        self.assertEqual(self.LIMITS, ("13.0", {"k": ({"instructions": 50, "in flight": 8, "PTX calls": 1},
                                                      "a reason")}))

    def test_hold(self):
        self.assertEqual(self.judged(instructions=50), (0, 0, ["instructions"]))
        self.assertEqual(self.judged(instructions=51), (1, 0, ["instructions"]))
        self.assertEqual(self.judged(registers=12), (0, 0, []))
        self.assertEqual(self.judged(registers=13), (1, 0, ["registers"]))
        self.assertEqual(self.judged(in_flight=8), (0, 0, ["in flight"]))
        self.assertEqual(self.judged(in_flight=4), (1, 0, ["in flight"]))

    def test_that_are_too_wide_are_told(self):
        self.assertEqual(self.judged(instructions=40), (0, 1, ["instructions"]))
        self.assertEqual(self.judged(instructions=23), (0, 1, []))
        self.assertEqual(self.judged(in_flight=12), (0, 1, ["in flight"]))

    def test_are_tightened_and_never_raised(self):
        text = ("# text\nnvcc 13.0\nk | instructions 50, registers 20, in flight 8 | a reason\n"
                "other | instructions 9 | b\n")
        hand = {"instructions": 20, "registers": 10, "in flight": 16}

        def after(*numbers):
            lines = machine_code.tightened(text, [("k", dict(zip(hand, numbers)), hand)]).splitlines()
            self.assertEqual(lines[:2] + lines[-1:], ["# text", "nvcc 13.0", "other | instructions 9 | b"])
            return lines[2:-1]

        self.assertEqual(after(40, 12, 12), ["k | instructions 40, in flight 12 | a reason"])
        self.assertEqual(after(60, 21, 4), ["k | instructions 50, registers 20, in flight 8 | a reason"])
        self.assertEqual(after(20, 10, 16), [])

    def test_go_into_documents(self):
        text = "a\n\n| one | b |\n| c |\n\n- d\n"
        self.assertEqual(machine_code.replaced(text, "| one", ["| new |"]), "a\n\n| new |\n\n- d\n")


if __name__ == "__main__":
    unittest.main()
