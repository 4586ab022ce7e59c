# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels with the C++ compiler, and keeps what it compiled in a folder.

A compiled kernel has the name of a hash of everything that it depends on: source, compiler, options,
library and headers. So the folder never holds a wrong file, and may be deleted at any time. Files appear
under their name when they are complete, so several processes may compile the same kernel."""

import atexit
import functools
import hashlib
import os
import platform
import re
import shlex
import shutil
import stat
import subprocess
import tempfile

from . import _config, _hpk
from ._hpk import CompileError

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def _resolve(path):
    return path if os.path.isabs(path) else os.path.normpath(os.path.join(_PACKAGE, path))


def include_folders():
    return [_resolve(path) for path in _config.INCLUDES]


def libraries():
    """The files that kernels are linked with: those that this process has loaded, so that it has one
    hpk."""
    return [_resolve(path) for path in _config.LIBRARIES]


def command():
    """The compiler and its options."""
    compiler = shlex.split(os.environ.get("HPK_CXX") or _config.COMPILER)
    found = shutil.which(compiler[0]) if compiler else None
    if found is None and not os.environ.get("HPK_CXX"):
        # The compiler of the build machine may be missing here.
        found = next(filter(None, map(shutil.which, _config.FALLBACKS)), None)
    if found is None:
        raise CompileError(
            f"hpk: kernels need a C++20 compiler, and '{compiler[0] if compiler else ''}' was not found; "
            "install g++ 12 or newer (on Debian and Ubuntu: apt install g++), or set HPK_CXX"
        )
    options = shlex.split(os.environ.get("HPK_CXXFLAGS", ""))
    is_gnu = _config.IS_GNU if found == _config.COMPILER else _is_gnu(found, *compiler[1:])
    return [found, *compiler[1:], *_config.OPTIONS, *(_config.GNU_OPTIONS if is_gnu else []), *options]


@functools.cache
def _is_gnu(*words):
    """Whether the compiler is g++."""
    try:
        done = subprocess.run([*words, "--version"], capture_output=True, text=True, errors="replace", check=False)
    except OSError:
        return False
    return "Free Software Foundation" in done.stdout


def _facts(path):
    facts = os.stat(path)
    return f"{path} {facts.st_mtime_ns} {facts.st_size}"


_headers = None


def _facts_of_headers():
    """In a build tree headers change while the version stays the same."""
    global _headers
    if _headers is None:
        newest = 0
        if _config.IN_BUILD_TREE:
            for folder in include_folders():
                for parent, _, files in os.walk(os.path.join(folder, "hpk")):
                    for file in files:
                        newest = max(newest, os.stat(os.path.join(parent, file)).st_mtime_ns)
        _headers = str(newest)
    return _headers


def key_of(source, words):
    """The hash of everything that a compiled kernel depends on."""
    parts = [
        source,
        *words,
        os.environ.get("CPATH", ""),
        os.environ.get("CPLUS_INCLUDE_PATH", ""),
        _facts(os.path.realpath(words[0])),
        *(_facts(os.path.realpath(path)) for path in libraries()),
        _hpk.version,
        _facts_of_headers(),
        platform.machine(),
        _processor() if any("native" in word for word in words) else "",
    ]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:40]


@functools.cache
def _processor():
    """What -march=native depends on: several machines may share a folder."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            first = file.read().partition("\n\n")[0]
    except OSError:
        return platform.processor()
    facts = ("vendor_id", "cpu family", "model", "flags", "CPU ", "Features", "cpu\t")
    return "\n".join(line for line in first.splitlines() if line.startswith(facts))


def _is_private(path):
    """Whether nobody else can write to the file or folder."""
    facts = os.stat(path)
    return facts.st_uid == os.geteuid() and not facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


_own_folder = None


def _folder_of_process():
    """A folder that lives as long as the process."""
    global _own_folder
    if _own_folder is None or _own_folder[0] != os.getpid():
        _own_folder = (os.getpid(), tempfile.mkdtemp(prefix="hpk-kernels-"))
        atexit.register(_remove_folder, *_own_folder)
    return _own_folder[1]


def _remove_folder(pid, folder):
    if os.getpid() == pid:
        shutil.rmtree(folder, ignore_errors=True)


def cache_folder():
    """The folder of compiled kernels: HPK_CACHE_DIR, or hpk in XDG_CACHE_HOME or ~/.cache."""
    own = os.environ.get("HPK_CACHE_DIR")
    if own:
        return os.path.abspath(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "hpk")


def _find_compiled(key):
    path = os.path.join(cache_folder(), key + ".so")
    try:
        return path if _is_private(path) and _is_private(cache_folder()) else None
    except OSError:
        return None


def _writable_folder():
    """The cache if this process may write to it and nobody else can; otherwise a folder of the process."""
    folder = cache_folder()
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if _is_private(folder) and os.access(folder, os.W_OK | os.X_OK):
            return folder
    except OSError:
        pass
    return _folder_of_process()


_compiled = {}


def compiled(plan, source, extra_options=()):
    """The path of the compiled source."""
    words = [*command(), *extra_options]
    key = key_of(source, words)
    path = _compiled.get(key)
    if path is None or not os.path.exists(path):
        path = _find_compiled(key)
    if path is None:
        path = _compile(plan, source, words, key)
    _compiled[key] = path
    return path


def _compile(plan, source, words, key):
    folder = _writable_folder()
    work = tempfile.mkdtemp(prefix="tmp-", dir=folder)
    try:
        file = os.path.join(work, "kernel.cpp")
        with open(file, "w", encoding="utf-8", errors="surrogateescape") as out:
            out.write(source)
        result = os.path.join(work, "kernel.so")
        line = [*words, *(f"-I{path}" for path in include_folders()), "-o", result, file, *libraries()]
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            line, cwd=work, env=environment, capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode != 0:
            raise _error_of(plan, source, done.stderr + done.stdout, line)
        os.chmod(result, 0o700)
        path = os.path.join(folder, key + ".so")
        os.replace(result, path)
        return path
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _error_of(plan, source, log, line):
    """The error with the lines of the user's text alone."""
    shown = []
    lines = log.splitlines()
    text = plan.text.text.splitlines()
    for entry in lines:
        match = re.match(r"<kernel>:(\d+):(?:(\d+):)? (?:fatal )?error: (.*)", entry)
        if not match or len(shown) > 30:
            continue
        shown.append(f"line {match[1]}: {_plain(match[3])}")
        # The compiler can't show the line, because no file has it.
        if int(match[1]) <= len(text):
            shown.append("    " + text[int(match[1]) - 1].expandtabs(8))
            shown.append("    " + " " * (int(match[2] or 1) - 1) + "^")
    unknown = re.search(r"[\u2018'](\w+)[\u2019'] was not declared|undeclared identifier '(\w+)'", log)
    if unknown:
        name = next(filter(None, unknown.groups()))
    if unknown and not name.startswith("hpk_"):
        places = [a for a in plan.text.accesses if any(name in tokens for tokens in a.arguments)]
        if places:
            shown.append(
                f"'{name}' stands alone in no index, so it has no range: add the argument {name}=range(...)"
            )
        else:
            shown.append(f"add the argument {name}=..., or declare {name} in the text")
    if not shown:
        shown = [entry for entry in lines if "error" in text][:10] or lines[-10:]
    error = CompileError(f"hpk: the compiler refuses kernel '{plan.name}':\n" + "\n".join(shown))
    error.log = log
    error.source = source
    error.command = shlex.join(line)
    return error


def _plain(message):
    """A message without the types of lambdas and long Views."""
    return re.sub(r"hpk::kernel_text::|hpk_python_kernel\(.*?\)::", "", message)
