"""``python -m cirulla_ai`` is ``cirulla``."""

import sys

from cirulla_ai.commands import main

if __name__ == "__main__":
    sys.exit(main())
