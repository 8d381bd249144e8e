"""Compiles the core for systems that are not at hand: objects, without a warning, by its own flags.

    python tools/check_targets.py                      the systems that wheels are built for
    python tools/check_targets.py arm-linux-musleabihf one of them, or of the others below

It needs Cython and ``ziglang`` (pip install ziglang), whose clang brings the C headers of each
system.  Python's headers are those of the interpreter that runs this; in a copy of them
``pyconfig.h``, which says what the system is, is changed to what is known of the target.
``--pyconfig FILE`` takes a real one instead: for Windows, PC/pyconfig.h of CPython's sources
(to 3.12; later ones generate it).  Nothing is linked, and nothing is run.
"""

from __future__ import annotations

import argparse
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WARNINGS = ["-Wall", "-Wextra", "-Werror"]

# What pyconfig.h says on a system, None for what it does not define.
Facts = dict[str, str | None]
BITS_32: Facts = {
    "SIZEOF_LONG": "4", "SIZEOF_SIZE_T": "4", "SIZEOF_VOID_P": "4", "SIZEOF_TIME_T": "8",
    "SIZEOF_PTHREAD_T": "4", "SIZEOF_UINTPTR_T": "4", "ALIGNOF_LONG": "4", "ALIGNOF_SIZE_T": "4",
    "SIZEOF_LONG_DOUBLE": "8", "HAVE_GCC_UINT128_T": None, "SIZEOF__BOOL": "1",
}
# Only what is declared by no header of the system but by Python's own is left out.
MACOS: Facts = {
    "_DARWIN_C_SOURCE": "1", "HAVE_EPOLL": None, "HAVE_SYS_EPOLL_H": None,
    "HAVE_SYS_RANDOM_H": None, "HAVE_ENDIAN_H": None, "HAVE_BYTESWAP_H": None,
    "HAVE_CRYPT_H": None, "HAVE_SYS_AUXV_H": None,
}
MUSL: Facts = {"HAVE_CRYPT_H": None}
WINDOWS: Facts = {
    "MS_WINDOWS": "1", "MS_WIN32": "1", "MS_WIN64": "1", "NT_THREADS": "1",
    "HAVE_DECLSPEC_DLL": "1", "Py_NO_ENABLE_SHARED": "1", "pid_t": "int",
    "SIZEOF_LONG": "4", "ALIGNOF_LONG": "4", "SIZEOF_WCHAR_T": "2", "SIZEOF_PID_T": "4",
    "SIZEOF_LONG_DOUBLE": "8",
}
TARGETS: dict[str, Facts] = {
    "x86_64-windows-gnu": WINDOWS,
    "x86_64-macos": MACOS,
    "aarch64-macos": MACOS,
    "x86_64-linux-musl": MUSL,
    "aarch64-linux-musl": MUSL,
    # No wheels are built for these.
    "aarch64-windows-gnu": WINDOWS,
    "x86-linux-musl": MUSL | BITS_32,
    "arm-linux-musleabihf": MUSL | BITS_32,
    "s390x-linux-musl": MUSL,
}
WHEELS = list(TARGETS)[:5]


def changed(text: str, target: str, facts: Facts) -> str:
    """A ``pyconfig.h`` with the definitions that hold on the target."""
    if facts is WINDOWS:
        # There Python asks for none of what POSIX has.
        text = re.sub(r"^#define HAVE_(?!STD|LONG_LONG|UINTPTR_T|WCHAR_H|ERRNO_H).*$", "", text,
                      flags=re.MULTILINE)
    names = "|".join(map(re.escape, facts))
    text = re.sub(rf"^#define ({names})\b.*$", "", text, flags=re.MULTILINE)
    more = [f"#define {name} {value}" for name, value in facts.items() if value is not None]
    if target.startswith("s390x"):
        more.append("#define WORDS_BIGENDIAN 1")
    # Before the end of its guard, if it has one; else after all.
    head, end, tail = text.rpartition("\n#endif")
    return "\n".join([head, *more]) + end + tail


def put_headers(folder: Path, target: str, pyconfig: Path | None) -> None:
    """Python's headers as the target has them."""
    for kind in ("include", "platinclude"):
        shutil.copytree(sysconfig.get_path(kind), folder, dirs_exist_ok=True)
    text = Path(sysconfig.get_config_h_filename()).read_text()
    (folder / "pyconfig.h").write_text(
        pyconfig.read_text() if pyconfig else changed(text, target, TARGETS[target]))


def check(target: str, setup: dict[str, Any], compiler: list[str], pyconfig: Path | None) -> int:
    """Compile all modules, each for all builds that the target has; how many objects failed."""
    builds: list[list[str]] = [[]]
    if target.startswith("x86_64"):
        # As this compiler spells it.
        builds.append([flag.replace("x86-64-v3", "x86_64_v3") for flag in setup["V3"]["unix"]])
    flags = [*setup["FLAGS"]["unix"], "-g0"]
    if TARGETS[target] is WINDOWS:
        # CPython's own header finds that out by MSVC's macros.
        flags.append("-DMS_WIN64")
    if target.startswith("x86-"):
        flags += setup["X87_FLAGS"]
    failed = made = 0
    with TemporaryDirectory() as folder:
        headers = Path(folder, "include")
        put_headers(headers, target, pyconfig)
        for name, extension in setup["translate"](1).items():
            for build in builds if name != setup["FIRST"] else builds[:1]:
                done = subprocess.run(
                    [*compiler, "-target", target, *flags, *build, *WARNINGS, "-c",
                     f"-I{headers}", *(f"-I{place}" for place in extension.include_dirs),
                     *extension.sources, "-o", str(Path(folder, "object.o"))],
                    stderr=subprocess.PIPE, text=True, check=False)
                made += 1
                if done.returncode:
                    failed += 1
                    print(f"{target}: {name} {' '.join(build)}\n{done.stderr}", file=sys.stderr)
    print(f"{target}: {made - failed} of {made} objects without warnings", flush=True)
    return failed


def main() -> int:
    """Check each target that was named, or those of the wheels; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("targets", metavar="TARGET", nargs="*", choices=[[], *TARGETS],
                        help=f"{', '.join(TARGETS)} (the first {len(WHEELS)})")
    parser.add_argument("--pyconfig", type=Path, help="the pyconfig.h of the target")
    args = parser.parse_args()
    setup = runpy.run_path(str(ROOT / "setup.py"), run_name="setup")
    compiler = [sys.executable, "-m", "ziglang", "cc"]
    failed = [check(target, setup, compiler, args.pyconfig) for target in args.targets or WHEELS]
    return int(any(failed))


if __name__ == "__main__":
    sys.exit(main())
