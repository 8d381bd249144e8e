"""Builds the compiled core.  All metadata is in pyproject.toml.

CIRULLA_MARCH=native   compile for one machine only (any value that -march= takes)
CIRULLA_SANITIZE=1     compile with the address and undefined-behaviour sanitizers
CIRULLA_JOBS=N         so many modules at once; if not set, C compilers only, on all processors
"""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCES = Path("src_cython")
PACKAGE = "cirulla_ai._core"
MODULES = tuple(sorted(path.stem for path in SOURCES.glob("*.pyx")))
# The modules that are worth a second build for processors with POPCNT and BMI2: all but these.
HOT = tuple(name for name in MODULES if name not in ("actions", "cards", "cpu", "stop"))

MARCH = os.environ.get("CIRULLA_MARCH", "")
SANITIZE = os.environ.get("CIRULLA_SANITIZE", "") not in ("", "0")
X86_64 = platform.machine().lower() in ("x86_64", "amd64")


def stage() -> Path:
    """Copy the flat sources to where Cython looks for the package's modules by name."""
    root = Path("build/cython")
    staged = root.joinpath(*PACKAGE.split("."))
    staged.mkdir(parents=True, exist_ok=True)
    for package in (staged, staged.parent):
        (package / "__init__.py").touch()
    for source in SOURCES.iterdir():
        copy = staged / source.name
        # Only what changed, so that Cython and the compiler see true time stamps.
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            shutil.copyfile(source, copy)
    return staged


def flags(march: str) -> list[str]:
    # Without -ffp-contract=off a build with FMA would round differently, and the
    # same seed would give another search on another machine.
    args = ["-O2", "-ffp-contract=off", "-fno-math-errno"]
    if march:
        args.append(f"-march={march}")
    if SANITIZE:
        args += ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined",
                 "-fno-omit-frame-pointer"]
    return args


def extensions(staged: Path) -> list[Extension]:
    include = [str(SOURCES)]
    links = ["-fsanitize=address,undefined"] if SANITIZE else []
    base = [
        Extension(f"{PACKAGE}.{name}", [str(staged / f"{name}.pyx")], include_dirs=include,
                  extra_compile_args=flags(MARCH), extra_link_args=links)
        for name in MODULES
    ]
    built = cythonize(
        base,
        include_path=[str(staged.parent.parent)],
        compiler_directives={
            "language_level": 3, "boundscheck": False, "wraparound": False,
            "initializedcheck": False, "cdivision": True,
            "embedsignature": True, "embedsignature.format": "python",
        },
        nthreads=int(os.environ.get("CIRULLA_JOBS", "0")),
    )
    if X86_64 and not MARCH and not SANITIZE:
        # The same C, compiled again; cirulla_ai/_core/__init__.py puts this folder in
        # front where the processor can run it.
        for ext in list(built):
            name = ext.name.rsplit(".", 1)[1]
            if name in HOT:
                built.append(Extension(f"{PACKAGE}.v3.{name}", list(ext.sources),
                                       include_dirs=include,
                                       extra_compile_args=flags("x86-64-v3")))
    return built


class BuildVariants(build_ext):
    """Compiles on all processors, and keeps the object files of the two builds of one source
    apart."""

    def finalize_options(self) -> None:
        super().finalize_options()
        if self.parallel is None:
            self.parallel = int(os.environ.get("CIRULLA_JOBS", os.cpu_count() or 1))

    def copy_extensions_to_source(self) -> None:
        Path(*PACKAGE.split("."), "v3").mkdir(exist_ok=True)
        super().copy_extensions_to_source()

    def build_extensions(self) -> None:
        every, temp = self.extensions, self.build_temp
        # One build after the other, since the folder holds for all that are under way.
        for part in ("", ".v3."):
            self.extensions = [ext for ext in every if (".v3." in ext.name) == bool(part)]
            self.build_temp = os.path.join(temp, part.strip("."))
            super().build_extensions()
        self.extensions, self.build_temp = every, temp


setup(ext_modules=extensions(stage()), cmdclass={"build_ext": BuildVariants})
