"""The compiled core.

On x86-64 the hot modules are built twice from the same C: for every processor, and
for those with POPCNT and BMI2 (in the folder ``v3``).  Which one is imported is
decided here, once, by what the processor can do.  ``CIRULLA_BASELINE=1`` in the
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

VARIANT = "baseline"
_v3 = _os.path.join(_os.path.dirname(__file__), "v3")
if (
    _os.environ.get("CIRULLA_BASELINE", "") in ("", "0")
    and _os.path.isdir(_v3)
    and _cpu.has_x86_64_v3()
):
    VARIANT = "x86-64-v3"
    __path__ = [_v3, *__path__]
