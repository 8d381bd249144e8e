"""The compiled core.

On x86-64 the modules are built twice from the same C: for every processor, and for
those with POPCNT and BMI2 (in the folder ``v3``).  Which one is imported is decided
here, once: by ``cpu``, which is built once and says whether the second build was made
with it and whether the processor can run that.  ``CIRULLA_BASELINE=1`` in the
environment keeps to the first, to compare them.
"""

import os as _os

try:
    from cirulla_ai._core import cpu as _cpu
except ImportError as _error:
    raise ImportError(
        f"the compiled core is missing in {_os.path.dirname(__file__)}: where this is the folder "
        "of the sources, start Python elsewhere to use the installed package, or build the core "
        "here with pip install -e .") from _error

# What runs: "x86-64-v3", or what the base build is for.
VARIANT = _cpu.built_for()
if (
    _os.environ.get("CIRULLA_BASELINE", "") in ("", "0")
    and _cpu.has_second_build()
    and _cpu.has_x86_64_v3()
):
    VARIANT = "x86-64-v3"
    __path__ = [_os.path.join(_os.path.dirname(__file__), "v3"), *__path__]
