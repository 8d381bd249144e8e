"""The compiled core.

On x86-64 the modules are built twice from the same C: for every processor, and for
those with POPCNT and BMI2 (in the folder ``v3``).  Which one is imported is decided
here, once: by ``cpu``, which is built once and says whether the second build was made
with it and whether the processor can run that.  ``CIRULLA_BASELINE=1`` in the
environment keeps to the first, to compare them.
"""

import os as _os
import shlex as _shlex
import sys as _sys

try:
    from cirulla_ai._core import cpu as _cpu
except ImportError as _error:
    _sources = _os.path.dirname(_os.path.dirname(_os.path.dirname(_os.path.abspath(__file__))))
    _build = _shlex.join([_sys.executable or "python3", "-m", "pip", "install", "-e", _sources])
    raise ImportError(
        f"the compiled core is missing in {_os.path.dirname(__file__)}: "
        + ("start Python in another folder to use the installed package, or build this one with "
           f"{_build}" if _os.path.exists(_os.path.join(_sources, "setup.py")) else
           "this is a part of the package; pip install -e . builds it, in the folder of setup.py")
    ) from _error

# What runs: "x86-64-v3", or what the base build is for.
VARIANT = _cpu.built_for()
if (
    _os.environ.get("CIRULLA_BASELINE", "") in ("", "0")
    and _cpu.has_second_build()
    and _cpu.has_x86_64_v3()
):
    VARIANT = "x86-64-v3"
    __path__ = [_os.path.join(_os.path.dirname(__file__), "v3"), *__path__]
