"""Code that runs first in a process that a test starts warm: put a mutant into its functions, or record their lines.

Such a process is forked from one that has loaded the package, so to change how modules load is not enough.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
CPU_S = 40
"""CPU seconds after which a run with a mutant counts as hanging."""


def main() -> None:
    """Do what the environment asks for."""
    sys.path.insert(0, str(ROOT))
    if name := os.environ.get("MUTANT"):
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 5))
        _change(name)
    elif lines := os.environ.get("MUTANTS_LINES"):
        _watch(Path(lines), os.environ["MUTANTS_TEST"])
    sys.path.remove(str(ROOT))


def _change(name: str) -> None:
    import tools.mutants.changed_module  # noqa: F401 - `python -m` loads a module anew, as that of the probe
    from tools.mutants.functions import LoadedFunctions
    from tools.mutants.sites import function_code, mutants_of, mutated

    path, _, number = name.partition("#")
    code, function = mutated(ROOT, mutants_of(ROOT, path)[int(number)])
    if function is None:
        return
    gc.unfreeze()  # the parent freezes what it has loaded, and gc does not list frozen objects
    LoadedFunctions().put(function_code(code, function))
    gc.freeze()


def _watch(lines: Path, test: str) -> None:
    """Append the lines of the package that this process runs to a file when it ends, as one line of JSON."""
    from coverage import Coverage

    watch: Any = Coverage(data_file=None, source=[str(ROOT / "pytest_planguard")], config_file=False, messages=False)

    def keep() -> None:
        watch.stop()
        data = watch.get_data()
        ran = {os.path.relpath(path, ROOT): sorted(data.lines(path) or ()) for path in data.measured_files()}
        text = json.dumps([test, {path: own for path, own in ran.items() if own}]) + "\n"
        file = os.open(lines, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, text.encode())
        os.close(file)

    atexit.register(keep)
    watch.start()


main()
