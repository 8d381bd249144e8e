"""The build: on small trees that have the project's ``setup.py`` and two of its modules."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import stat
import struct
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from cirulla_ai._core.cpu import has_x86_64_v3

ROOT = Path(__file__).parent.parent
CORE = Path("cirulla_ai", "_core")
SUM = "def total(int a, int b):\n    return a + b\n"
SETTINGS = ("CIRULLA_MARCH", "CIRULLA_SANITIZE", "CIRULLA_JOBS", "CIRULLA_BASELINE", "CFLAGS")


def compiler() -> list[str]:
    words = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(words[0]) is None:
        pytest.skip(f"there is no C compiler {words[0]}")
    return words


def can_build() -> None:
    """Skip where there is not what setup.py needs."""
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")


def the_setup() -> ModuleType:
    can_build()
    spec = importlib.util.spec_from_file_location("the_setup", ROOT / "setup.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Tree:
    """A small project: ``cpu`` as it is, and ``summing``, which adds two numbers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.core = folder / CORE
        self.sources = folder / "src_cython"
        self.core.mkdir(parents=True)
        self.sources.mkdir()
        for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE",
                     "src_cython/cpu.pyx", "src_cython/cpu.h",
                     "cirulla_ai/_core/__init__.py", "cirulla_ai/version.py"):
            shutil.copyfile(ROOT / name, folder / name)
        (folder / "cirulla_ai" / "__init__.py").touch()
        (self.sources / "summing.pyx").write_text(SUM)

    def run(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        env = {name: value for name, value in os.environ.items() if name not in SETTINGS}
        return subprocess.run([sys.executable, *arguments], cwd=self.folder, env=env | settings,
                              capture_output=True, text=True, timeout=250, check=False)

    def build(self, *arguments: str, **settings: str) -> str:
        done = self.run("setup.py", *(arguments or ("build_ext", "--inplace")), **settings)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    def variant(self, **settings: str) -> str:
        """The build that runs in place, as the version tells it."""
        done = self.run("-c", "from cirulla_ai import version; print(version.FULL_NAME)\n"
                        "from cirulla_ai._core.summing import total; print(total(2, 3))",
                        **settings)
        name, total = done.stdout.splitlines()
        assert total == "5"
        assert name.startswith("cirulla-ai ")
        return name.rpartition(" (")[2].rstrip(")")

    def modules(self, folder: Path | None = None) -> set[str]:
        core = self.core if folder is None else folder / CORE
        return {str(path.relative_to(core)).partition(".")[0]
                for suffix in ("*.so", "*.pyd") for path in core.rglob(suffix)}


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    can_build()
    # It is not speed that is looked at, and most of a build's time would go into it.
    quick = script(tmp_path / "quick-cc", f'exec {shlex.join(compiler())} "$@" -O0\n')
    monkeypatch.setenv("CC", quick)
    return Tree(tmp_path / "with a blank è")


@pytest.fixture
def old_compiler(tmp_path: Path) -> str:
    """A compiler that knows no x86-64-v3, as gcc 9 and 10 do not."""
    return script(
        tmp_path / "old-cc", 'for word in "$@"; do\n'
        "case $word in -march=x86-64-v3) echo 'bad value for -march=' >&2; exit 1;; esac\n"
        f'done\nexec {shlex.join(compiler())} "$@" -O0\n')


def makes_x86_64() -> bool:
    done = subprocess.run([*compiler(), "-dM", "-E", "-x", "c", os.devnull], capture_output=True,
                          text=True, check=False)
    return "#define __x86_64__" in done.stdout


def test_each_module_has_its_stub() -> None:
    modules = {path.stem for path in ROOT.glob("src_cython/*.pyx")}
    stubs = {path.stem for path in (ROOT / CORE).glob("*.pyi")} - {"__init__"}
    assert modules == stubs


def test_all_modules_but_the_first_are_built_twice(tree: Tree) -> None:
    tree.build()
    if makes_x86_64():
        assert tree.modules() == {"cpu", "summing", "v3/summing"}
        assert tree.variant() in ("x86-64-v3", "x86-64")  # what the processor can run
        assert tree.variant(CIRULLA_BASELINE="1") == "x86-64"
    else:
        assert tree.modules() == {"cpu", "summing"}
        assert tree.variant() not in ("x86-64-v3", "x86-64")


def test_no_second_build_where_the_compiler_refuses_it(old_compiler: str, tree: Tree) -> None:
    said = tree.build(CC=old_compiler)
    assert tree.modules() == {"cpu", "summing"}
    if makes_x86_64():
        assert "the compiler refuses -march=x86-64-v3: built for any x86-64 processor" in said
        assert tree.variant() == "x86-64"


def test_what_was_asked_for_last_is_what_runs(old_compiler: str, tree: Tree) -> None:
    if not makes_x86_64():
        pytest.skip("-march=native is not for every target")
    tree.build()
    first = tree.variant()
    tree.build(CIRULLA_MARCH="native")
    assert tree.modules() == {"cpu", "summing"}
    assert tree.variant() == "native"
    # Built before, so nothing is compiled: what is there is older than what it replaces.
    tree.build()
    assert tree.modules() == {"cpu", "summing", "v3/summing"}
    assert tree.variant() == first
    tree.build(CC=old_compiler)
    assert tree.variant() == "x86-64"


def test_nothing_of_an_earlier_build_is_packed(tree: Tree) -> None:
    if not makes_x86_64():
        pytest.skip("-march=native is not for every target")
    tree.build("build")
    (tree.folder / "cirulla_ai" / "gone.py").touch()
    tree.build("build")
    built, = tree.folder.glob("build/lib*")
    assert tree.modules(built) == {"cpu", "summing", "v3/summing"}
    assert (built / "cirulla_ai" / "gone.py").exists()
    (tree.folder / "cirulla_ai" / "gone.py").unlink()
    (tree.sources / "summing.pyx").rename(tree.sources / "adding.pyx")
    tree.build("build", CIRULLA_MARCH="native")
    assert tree.modules(built) == {"cpu", "adding"}
    assert not (built / "cirulla_ai" / "gone.py").exists()


def test_a_change_is_compiled_and_a_module_that_is_no_more_goes(tree: Tree) -> None:
    (tree.sources / "other.pyx").write_text(SUM)
    tree.build()
    assert "other" in tree.modules()
    (tree.sources / "other.pyx").unlink()
    (tree.sources / "summing.pyx").write_text(SUM.replace("a + b", "a + b + 10"))
    tree.build()
    assert not {name for name in tree.modules() if "other" in name}
    done = tree.run("-c", "from cirulla_ai._core.summing import total; print(total(2, 3))")
    assert done.stdout == "15\n"


def test_what_is_translated_to_the_same_is_not_compiled_again(tree: Tree) -> None:
    tree.build()
    # As they look to a Cython that is newer than they are, like one just installed.
    for c in tree.folder.glob("build/cython-*/**/_core/*.c"):
        os.utime(c, (0, 0))
    said = tree.build()
    assert "Compiling" in said
    assert "building '" not in said


def test_other_flags_are_another_build(tree: Tree) -> None:
    (tree.sources / "summing.pyx").write_text(
        'cdef extern from *:\n    """\n    #ifndef MORE\n    #define MORE 0\n    #endif\n    """\n'
        "    int MORE\ndef total(int a, int b):\n    return a + b + MORE\n")
    for more in ("0", "7"):
        tree.build(CFLAGS=f"-DMORE={more}")
        done = tree.run("-c", "from cirulla_ai._core.summing import total; print(total(0, 0))")
        assert done.stdout == f"{more}\n"


@pytest.mark.parametrize(("setting", "value", "said"), [
    ("CIRULLA_MARCH", "no-such", "CIRULLA_MARCH=no-such: the compiler refuses -march=no-such"),
    ("CIRULLA_JOBS", "many", "CIRULLA_JOBS=many: a whole number from 1 on is meant"),
    ("CIRULLA_JOBS", "0", "CIRULLA_JOBS=0: a whole number from 1 on is meant"),
    ("CIRULLA_JOBS", "-2", "CIRULLA_JOBS=-2: a whole number from 1 on is meant"),
])
def test_settings_without_a_meaning(tree: Tree, setting: str, value: str, said: str) -> None:
    done = tree.run("setup.py", "build_ext", "--inplace", **{setting: value})
    assert done.returncode != 0
    assert f"error: {said}" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_debug_symbols_unless_they_are_asked_for(tree: Tree) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("debug symbols are elsewhere in other formats")

    def with_symbols() -> set[bool]:
        return {b".debug_info" in path.read_bytes() for path in tree.core.rglob("*.so")}

    tree.build()
    assert with_symbols() == {False}
    tree.build(CFLAGS="-g")
    assert with_symbols() == {True}


def test_jobs_are_the_processors_allowed() -> None:
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system can't keep a process to some processors")
    can_build()
    done = subprocess.run(
        [sys.executable, "-c", "import os, sys, runpy\n"
         "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
         "print(runpy.run_path('setup.py', run_name='setup')['processors']())"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "1\n"


def test_without_affinity_all_processors_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert the_setup().processors() == 1


class Target:
    """Stands in for setuptools' compiler object: what it makes code for is what its macros say."""

    def __init__(self, kind: str, macros: list[str], refused: tuple[str, ...] = ()) -> None:
        self.compiler_type = kind
        self.macros = macros
        self.refused = refused

    def compile(self, sources: list[str], folder: str, extra_postargs: list[str]) -> None:
        text = Path(sources[0]).read_text().replace("#include <immintrin.h>", "")
        done = subprocess.run(
            [*compiler(), "-undef", *(f"-D{name}" for name in self.macros), "-E", "-x", "c", "-"],
            input=text, capture_output=True, text=True, check=False)
        if done.returncode or set(extra_postargs) & set(self.refused):
            from setuptools.errors import CompileError

            raise CompileError("refused")


TARGETS = [
    # Whatever machine builds: a processor of either kind, both at once, 32 bits.
    ("unix", "linux-x86_64", ["__x86_64__"], ["-march=x86-64-v3"]),
    ("unix", "linux-aarch64", ["__aarch64__"], None),
    ("unix", "macosx-11.0-arm64", ["__aarch64__"], None),
    ("unix", "macosx-11.0-x86_64", ["__x86_64__"], ["-march=x86-64-v3"]),
    ("unix", "linux-i686", ["__i386__"], None),
    ("mingw32", "mingw_x86_64", ["__x86_64__"], ["-march=x86-64-v3"]),
    # By /arch:AVX MSVC makes no FMA, which rounds differently.
    ("msvc", "win-amd64", ["_M_X64"], ["/arch:AVX", "/DBITS_BMI2"]),
    ("msvc", "win-arm64", ["_M_ARM64"], None),
    ("msvc", "win-arm64", ["_M_ARM64EC", "_M_X64"], None),
    ("msvc", "win32", ["_M_IX86"], None),
]


@pytest.mark.parametrize(("kind", "platform", "macros", "second"), TARGETS)
def test_the_target_decides(
    kind: str, platform: str, macros: list[str], second: list[str] | None
) -> None:
    compiler()
    setup = the_setup()
    from setuptools import Distribution

    build = setup.BuildCore(Distribution())
    build.compiler, build.plat_name = Target(kind, macros), platform
    assert build.second() is (second is not None)
    if second:
        assert setup.V3[build.kind] == second
    if kind == "msvc":
        assert build.flags() == ["/O2", "/fp:precise"]
        assert build.link_flags() == []
        return
    assert build.flags()[:3] == ["-O2", "-ffp-contract=off", "-fno-math-errno"]
    assert ("-mfpmath=sse" in build.flags()) is ("__i386__" in macros)
    assert build.link_flags() == (["-Wl,-s"] if platform.startswith("linux") else [])


def test_a_flag_that_a_compiler_refuses_is_left_out() -> None:
    compiler()
    setup = the_setup()
    from setuptools import Distribution

    build = setup.BuildCore(Distribution())
    build.compiler = Target("unix", ["__x86_64__"], refused=("-g0", "-march=x86-64-v3"))
    assert build.flags() == ["-O2", "-ffp-contract=off", "-fno-math-errno"]
    assert not build.second()


KERNELS = r"""
#include <inttypes.h>
#include <stdio.h>
#include "bits.h"
#include "clock.h"
#include "fishing_network.h"
#include "pages.h"
#include "sums.h"

static float real(void) {
    union { uint32_t bits; float value; } u;
    return scanf("%" SCNx32, &u.bits) == 1 ? u.value : 0;
}

static double wide_real(void) {
    union { uint64_t bits; double value; } u;
    return scanf("%" SCNx64, &u.bits) == 1 ? u.value : 0;
}

int main(void) {
    int n, vectors;
    if (scanf("%d", &n) != 1)
        return 1;
    while (n-- > 0) {
        uint64_t x, mask, low, high;
        if (scanf("%" SCNx64 " %" SCNx64, &x, &mask) != 2)
            return 1;
        high = bits_multiply(x, mask, &low);
        printf("%" PRIx64 " %" PRIx64 " %d %d %" PRIx64 " %" PRIx64 "\n", high, low,
               bits_count(x), bits_low(x), bits_deposit(x, mask), bits_extract(x, mask));
        printf("%" PRIx64 " %d\n", bits_pick(x, bits_count(x) - 1), bits_select(x, 0));
    }
    for (vectors = 1; vectors <= MOST_VECTORS; vectors++) {
        static float rows[4 * LANES * MOST_VECTORS], weights[LANES * MOST_VECTORS];
        int units = LANES * vectors;
        Layer layer;
        union { uint32_t bits; float value; } out;
        for (int i = 0; i < 4 * units; i++)
            rows[i] = real();
        for (int i = 0; i < units; i++)
            weights[i] = real();
        layer_set(vectors, &layer, rows);
        layer_add(vectors, &layer, rows + units);
        layer_add_set(vectors, &layer, rows, 0xC);
        out.value = layer_out(vectors, &layer, weights);
        printf("%" PRIx32 "\n", out.bits);
    }
    {
        static double table[3 * SUMS], sums[SUMS];
        double weight[3];
        int offset[3] = {0, 7, 2 * SUMS};
        for (int i = 0; i < 3; i++)
            weight[i] = wide_real();
        for (int i = 0; i < 3 * SUMS; i++)
            table[i] = wide_real();
        add_weighted(sums, table, offset, weight, 3);
        for (int i = 0; i < SUMS; i++) {
            union { uint64_t bits; double value; } out;
            out.value = sums[i];
            printf("%" PRIx64 "\n", out.bits);
        }
    }
    {
        size_t bytes = 1 << 20;
        char *pages = pages_take(bytes);
        int64_t before = clock_ns();
        if (!pages || pages[0] || pages[bytes - 1])
            return 2;
        pages[bytes - 1] = 1;
        pages_give(pages, bytes);
        pages_give(NULL, bytes);
        if (clock_ns() < before)
            return 3;
    }
    return 0;
}
"""


def single(number: float) -> float:
    """A number as a float of 32 bits; of a sum or product of two such ones the same as if it
    had been rounded once."""
    value, = struct.unpack("<f", struct.pack("<f", number))
    return float(value)


def hexes(numbers: list[float], form: str) -> list[str]:
    whole = {"f": "I", "d": "Q"}[form]
    return [f"{struct.unpack(f'<{whole}', struct.pack(f'<{form}', number))[0]:x}"
            for number in numbers]


def kernels_case() -> tuple[str, list[str]]:
    """What the program is to read, and what it is to say, worked out here."""
    random = Random(1)
    words, said = [], []
    pairs = [(x, mask) for x in (1, 2**63, 2**64 - 1, 0xFFFFFFFFFF)
             for mask in (0, 1, 2**64 - 1, 0x2222222222)]
    pairs += [(random.getrandbits(64) or 1, random.getrandbits(64)) for _ in range(200)]
    words.append(str(len(pairs)))
    for x, mask in pairs:
        words += [f"{x:x}", f"{mask:x}"]
        places = [k for k in range(64) if mask >> k & 1]
        bits = [k for k in range(64) if x >> k & 1]
        deposit = sum(1 << place for i, place in enumerate(places) if x >> i & 1)
        extract = sum(1 << i for i, place in enumerate(places) if x >> place & 1)
        said.append(f"{x * mask >> 64:x} {x * mask & 2**64 - 1:x} {len(bits)} {bits[0]} "
                    f"{deposit:x} {extract:x}")
        said.append(f"{1 << bits[-1]:x} {bits[0]}")
    for vectors in range(1, 9):
        units = 8 * vectors
        rows = [[single(random.gauss(0, 1)) for _ in range(units)] for _ in range(4)]
        weights = [single(random.gauss(0, 1)) for _ in range(units)]
        for numbers in (*rows, weights):
            words += hexes(numbers, "f")
        sums = rows[0]
        for row in rows[1:]:
            sums = [single(a + b) for a, b in zip(sums, row, strict=True)]
        total = [0.0] * 8
        for i, (unit, weight) in enumerate(zip(sums, weights, strict=True)):
            total[i % 8] = single(total[i % 8] + single(max(unit, 0.0) * weight))
        for step in (4, 2, 1):
            total = [single(total[i] + total[i + step]) for i in range(step)]
        said += hexes(total, "f")
    factors = [random.gauss(0, 1) for _ in range(3)]
    table = [random.gauss(0, 1) for _ in range(48)]
    words += hexes(factors, "d") + hexes(table, "d")
    totals = [0.0] * 16
    for factor, offset in zip(factors, (0, 7, 32), strict=True):
        totals = [total + factor * table[offset + i] for i, total in enumerate(totals)]
    said += hexes(totals, "d")
    return " ".join(words), said


@pytest.mark.parametrize("flags", [
    [], ["-DCIRULLA_PLAIN"], ["-march=x86-64-v3"], ["-march=x86-64-v3", "-DCIRULLA_PLAIN"],
    ["-m32", "-msse2", "-mfpmath=sse"],
], ids=" ".join)
def test_every_branch_gives_the_same_bits(tmp_path: Path, flags: list[str]) -> None:
    if "-march=x86-64-v3" in flags and not has_x86_64_v3():
        pytest.skip("this processor can't run it")
    source, program = tmp_path / "kernels.c", tmp_path / "kernels"
    source.write_text(KERNELS)
    made = subprocess.run(
        [*compiler(), *the_setup().FLAGS["unix"], *flags, "-Wall", "-Wextra", "-Werror",
         f"-I{ROOT / 'src_cython'}", str(source), "-o", str(program)],
        capture_output=True, text=True, check=False)
    if made.returncode and flags and flags != ["-DCIRULLA_PLAIN"]:
        pytest.skip("the compiler can't make such programs here")
    assert made.returncode == 0, made.stderr
    words, said = kernels_case()
    done = subprocess.run([str(program)], input=words, capture_output=True, text=True, timeout=60,
                          check=True)
    assert done.stdout.splitlines() == said


MULTIPLY = r"""
#include <inttypes.h>
#include <stdio.h>
#include "bits.h"
int main(void) {
    uint64_t a, b, low, high;
    while (scanf("%" SCNu64 " %" SCNu64, &a, &b) == 2) {
        high = bits_multiply(a, b, &low);
        printf("%" PRIu64 " %" PRIu64 " %d\n", high, low, bits_count(a));
    }
    return 0;
}
"""


@pytest.mark.parametrize("flags", [[], ["-U__SIZEOF_INT128__"], ["-m32"]], ids=" ".join)
def test_products_and_counts_on_any_target(tmp_path: Path, flags: list[str]) -> None:
    source, program = tmp_path / "multiply.c", tmp_path / "multiply"
    source.write_text(MULTIPLY)
    made = subprocess.run(
        [*compiler(), "-O2", *flags, f"-I{ROOT / 'src_cython'}", str(source), "-o", str(program)],
        capture_output=True, text=True, check=False)
    if made.returncode and flags == ["-m32"]:
        pytest.skip("the compiler can't make 32-bit programs here")
    assert made.returncode == 0, made.stderr
    edges = [0, 1, 2, 40, 2**32 - 1, 2**32, 2**32 + 1, 2**63, 2**64 - 2**32, 2**64 - 2, 2**64 - 1,
             0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9]
    pairs = [(a, b) for a in edges for b in edges]
    done = subprocess.run([str(program)], input="".join(f"{a} {b}\n" for a, b in pairs),
                          capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == [
        f"{a * b >> 64} {a * b & 2**64 - 1} {bin(a).count('1')}" for a, b in pairs]
