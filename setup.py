"""Builds the compiled core.  All metadata is in pyproject.toml.

CIRULLA_MARCH=native   compile for one machine only (any value that -march= takes)
CIRULLA_SANITIZE=1     compile with the address and undefined-behaviour sanitizers
CIRULLA_JOBS=N         so many modules at once; if not set, as many as the processors allowed

Every src_cython/*.pyx is a module of cirulla_ai._core.  Where the compiler makes code for x86-64,
all but ``cpu`` are built twice: cirulla_ai/_core/__init__.py imports the second build, in the
folder v3, where ``cpu`` says that it was made and the processor can run it.  What the compiler
makes code for decides, never the machine that builds.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from Cython.Build import cythonize
from Cython.Shadow import __version__ as cython_version
from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, OptionError

SOURCES = Path("src_cython")
PACKAGE = "cirulla_ai._core"
MODULES = sorted(path.stem for path in SOURCES.glob("*.pyx"))
# What has to be imported before the choice between the builds: it says what they are.
FIRST = "cpu"

DIRECTIVES = {
    "language_level": 3, "boundscheck": False, "wraparound": False,
    "initializedcheck": False, "cdivision": True,
    "embedsignature": True, "embedsignature.format": "python",
}
# Without -ffp-contract=off a build with FMA would round differently, and the same seed would
# give another search on another machine.
FLAGS = {"unix": ["-O2", "-ffp-contract=off", "-fno-math-errno"], "msvc": ["/O2", "/fp:precise"]}
# The registers of the old x87 round differently too.
X87_FLAGS = ["-msse2", "-mfpmath=sse"]
SANITIZERS = "-fsanitize=address,undefined"
# What the second build is compiled with.  MSVC has no name for just what it may use: it has
# FMA in none of its code by /arch:AVX, and takes the intrinsic functions as they come.
V3 = {"unix": ["-march=x86-64-v3"], "msvc": ["/arch:AVX", "/DBITS_BMI2"]}
# What does the compiler make code for, and do headers and assembler know BMI2?
X86_64 = ("#if !defined(__x86_64__) && !defined(_M_X64) || defined(_M_ARM64EC)\n"
          "#error not for x86-64\n#endif\n")
X87 = "#ifndef __i386__\n#error not for x86 of 32 bits\n#endif\n"
BMI2 = ("#include <immintrin.h>\n"
        "unsigned long long f(unsigned long long x) { return _pdep_u64(x, x); }\n")

MARCH = os.environ.get("CIRULLA_MARCH", "")
SANITIZE = os.environ.get("CIRULLA_SANITIZE", "") not in ("", "0")
DEBUG = "-g" in os.environ.get("CFLAGS", "").split()


def processors() -> int:
    """How many processors this process may use: fewer than there are under taskset, or in a
    container with a limit."""
    allowed = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        allowed = len(os.sched_getaffinity(0))
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return min(allowed, max(1, round(int(quota) / int(period))))
    except (OSError, ValueError):
        return allowed


def jobs() -> int:
    text = os.environ.get("CIRULLA_JOBS", "")
    if not text:
        return processors()
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise OptionError(f"CIRULLA_JOBS={text}: a whole number from 1 on is meant")
    return int(text)


def keyed(name: str, *settings: object) -> Path:
    """A folder in build/ for what was made with these settings and with no others."""
    digest = hashlib.sha256(repr(settings).encode()).hexdigest()
    return Path("build", f"{name}-{digest[:12]}")


def renew(copy: Path, source: Path) -> None:
    """Copy only what has changed, so that Cython and the compiler see true time stamps."""
    if not copy.exists() or copy.read_bytes() != source.read_bytes():
        shutil.copyfile(source, copy)


def stage() -> Path:
    """Copy the flat sources to where Cython looks for the package's modules by name."""
    root = keyed("cython", cython_version, DIRECTIVES)
    staged = root.joinpath(*PACKAGE.split("."))
    staged.mkdir(parents=True, exist_ok=True)
    for package in (staged, staged.parent):
        (package / "__init__.py").touch()
    for copy in staged.glob("*.p*[xd]"):
        if not (SOURCES / copy.name).exists():
            copy.unlink()
    for source in SOURCES.iterdir():
        renew(staged / source.name, source)
    return staged


def translate(jobs: int) -> dict[str, Extension]:
    """Each module with its C source and all that it is made from."""
    staged = stage()
    try:
        import multiprocessing.synchronize  # not on every system

        forks = multiprocessing.get_start_method() == "fork"
    except ImportError:
        forks = False
    made = cythonize(
        [Extension(f"{PACKAGE}.{name}", [str(staged / f"{name}.pyx")]) for name in MODULES],
        include_path=[str(staged.parent.parent)], compiler_directives=DIRECTIVES,
        nthreads=jobs if forks and jobs > 1 else 0)
    compiled = staged / "c"
    compiled.mkdir(exist_ok=True)
    for ext in made:
        # To Cython all is older than a Cython that pip has just installed to build with: what it
        # has translated again, to the same C, is not compiled again.
        translation, = map(Path, ext.sources)
        renew(compiled / translation.name, translation)
        ext.sources = [str(compiled / translation.name)]
        ext.depends = sorted(map(str, staged.glob("*.h")))
        ext.include_dirs = [str(staged)]
    return {ext.name.rpartition(".")[2]: ext for ext in made}


class Build(build):
    """A build that packs nothing which an earlier one has left."""

    def run(self) -> None:
        for left in [Path(self.build_lib, "cirulla_ai"), *Path(self.build_base).glob("bdist.*")]:
            shutil.rmtree(left, ignore_errors=True)
        super().run()


class BuildCore(build_ext):
    """Compiles each build in a folder of its settings, then takes what was asked for from there."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.jobs = self.parallel or jobs()
        self.parallel = self.jobs

    def run(self) -> None:
        target = self.build_lib
        super().run()
        if not self.inplace:
            for ext in self.extensions:
                name = self.get_ext_filename(self.get_ext_fullname(ext.name))
                Path(target, name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(Path(self.build_lib, name), Path(target, name))
        self.build_lib = target

    def copy_extensions_to_source(self) -> None:
        # The ones there may be of other settings, and newer; or of modules that are no more.
        core = Path(*PACKAGE.split("."))
        for old in core.rglob("*" + sysconfig.get_config_var("EXT_SUFFIX")):
            old.unlink()
        (core / "v3").mkdir(exist_ok=True)
        super().copy_extensions_to_source()

    def takes(self, *flags: str, text: str = "int x;\n") -> bool:
        """Whether the compiler makes an object of a C text with these flags."""
        with TemporaryDirectory() as folder:
            source = Path(folder, "probe.c")
            source.write_text(text)
            try:
                self.compiler.compile([str(source)], folder, extra_postargs=list(flags))
            except CompileError:
                return False
            return True

    def compiler_version(self) -> str:
        command = [*getattr(self.compiler, "compiler_so", []), "--version"]
        try:
            return subprocess.run(command, capture_output=True, check=False).stdout.decode(
                errors="replace")
        except OSError:
            return ""

    @property
    def kind(self) -> str:
        """How the compiler takes its flags: ``unix`` or ``msvc``."""
        return "msvc" if self.compiler.compiler_type == "msvc" else "unix"

    def flags(self) -> list[str]:
        """What all modules are compiled with."""
        wanted = list(FLAGS[self.kind])
        if self.kind == "unix" and not DEBUG:
            # Python's own flags bring -g, four fifths of what would be installed.
            wanted.append("-g0")
        if self.kind == "unix" and self.takes(text=X87):
            wanted += X87_FLAGS
        taken = [flag for flag in wanted if self.takes(flag)]
        for flag in set(wanted) - set(taken):
            self.warn(f"the compiler refuses {flag}: built without it")
        if self.kind == "msvc":
            for name, value in (("CIRULLA_MARCH", MARCH), ("CIRULLA_SANITIZE", SANITIZE)):
                if value:
                    raise OptionError(f"{name} is for gcc and clang; this compiler is MSVC")
        if MARCH:
            if not self.takes(f"-march={MARCH}"):
                raise OptionError(f"CIRULLA_MARCH={MARCH}: the compiler refuses -march={MARCH}")
            taken.append(f"-march={MARCH}")
        if SANITIZE:
            taken += ["-O1", "-g", SANITIZERS, "-fno-sanitize-recover=undefined",
                      "-fno-omit-frame-pointer"]
        return taken

    def link_flags(self) -> list[str]:
        """What all modules are linked with."""
        if SANITIZE:
            return [SANITIZERS]
        # Names that nobody looks up, a tenth of what would be installed.
        is_elf = self.kind == "unix" and self.plat_name.startswith("linux")
        return ["-Wl,-s"] if is_elf and not DEBUG else []

    def second(self) -> bool:
        """Whether there is to be a second build."""
        if MARCH or SANITIZE or not self.takes(text=X86_64):
            return False
        flags = V3[self.kind]
        if not self.takes(*flags, text=BMI2):
            self.warn(f"the compiler refuses {flags[0]}: built for any x86-64 processor alone, "
                      "which is slower; gcc 11 or clang 12 and later build for newer ones too")
            return False
        return True

    def build_extensions(self) -> None:
        flags, link_flags, second = self.flags(), self.link_flags(), self.second()
        built_for = ", ".join(filter(None, [MARCH, "sanitized" if SANITIZE else ""]))
        made = keyed("core", flags, link_flags, second, MODULES,
                     sysconfig.get_config_var("EXT_SUFFIX"), self.plat_name,
                     self.compiler_version(), self.settings())
        self.build_lib = str(made / "lib")
        if not second:
            self.extensions = [ext for ext in self.extensions if ".v3." not in ext.name]
        translated = translate(self.jobs)
        for ext in self.extensions:
            name = ext.name.rpartition(".")[2]
            for what in ("sources", "depends", "include_dirs"):
                setattr(ext, what, getattr(translated[name], what))
            ext.extra_compile_args = flags + (V3[self.kind] if ".v3." in ext.name else [])
            ext.extra_link_args = link_flags
            if name == FIRST:
                ext.define_macros = [("CIRULLA_V3", str(int(second)))]
                if built_for:
                    ext.define_macros.append(("CIRULLA_BUILT_FOR", f'"{built_for}"'))
        # One build after the other: the folder for objects, whose names are the same, holds for
        # all that are under way.
        every = self.extensions
        for part in ("", ".v3."):
            self.extensions = [ext for ext in every if (".v3." in ext.name) == bool(part)]
            self.build_temp = str(made / "objects" / part.strip("."))
            super().build_extensions()
        self.extensions = every

    def settings(self) -> dict[str, Any]:
        """How the compiler is called: from Python, from CC and CFLAGS and the like."""
        return {name: value for name, value in sorted(vars(self.compiler).items())
                if isinstance(value, (str, list))}


if __name__ == "__main__":
    setup(
        ext_modules=[
            Extension(f"{PACKAGE}.{part}{name}", [str(SOURCES / f"{name}.pyx")])
            for part in ("", "v3.") for name in MODULES if not (part and name == FIRST)
        ],
        cmdclass={"build": Build, "build_ext": BuildCore})
