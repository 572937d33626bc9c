"""Put the mutant into the code that this interpreter loads; the folder is on PYTHONPATH of all that a test starts."""

import os
import sys
from pathlib import Path

if os.environ.get("MUTANT"):
    sys.path.insert(0, str(Path(__file__).parents[3]))
    import tools.mutants.changed_module  # noqa: F401 - the import changes how modules load

    del sys.path[0]
