"""A process that imports what test runs import, and forks for each run that a line of its input asks for.

Run as a file. A request is a line of JSON (`args`, `folder`, `env`, `streams`); the answers are two lines, the child's
process id and, when it has ended, its exit code.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import runpy
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NoReturn

SDKS = (
    "pydantic",
    "yaml",
    "vcr",
    "httpx2",
    "openai",
    "openai.resources.chat",
    "openai.resources.responses",
    "anthropic",
)
OURS = ("plugin", "replay", "retry", "plans", "pipeline", "report", "runs", "wire", "cli")
"""Folders of this package whose modules are imported; `testing` loads Hypothesis, which most runs go without."""
STREAMS = (0, 1, 2)


def main() -> None:
    """Serve until the input ends."""
    _import_all()
    gc.freeze()  # pytest collects garbage several times a run, and would go through all that is imported each time
    requests, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    for line in requests:
        request = json.loads(line)
        child = os.fork()
        if not child:
            requests.close()
            os.close(answers)
            _become(request)
        os.write(answers, b"%d\n" % child)
        os.write(answers, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def _import_all() -> None:
    from _pytest.config import default_plugins

    with warnings.catch_warnings(action="ignore"):
        for module in (*(f"_pytest.{name}" for name in default_plugins), *SDKS, *_own_modules()):
            with suppress(ImportError):
                importlib.import_module(module)


def _own_modules() -> Iterator[str]:
    """Yield the names of this package's modules in `OURS`."""
    package = importlib.import_module("pytest_planguard").__path__[0]
    for folder in OURS:
        for module in pkgutil.walk_packages([f"{package}/{folder}"], f"pytest_planguard.{folder}."):
            if not module.name.endswith("__main__"):
                yield module.name


def _become(request: dict[str, Any]) -> NoReturn:
    """Be what a new interpreter is with this folder, environment and command line, to the end."""
    out, err = (os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600) for path in request["streams"])
    for source, stream in zip((os.open(os.devnull, os.O_RDONLY), out, err), STREAMS, strict=True):
        os.dup2(source, stream)
        os.close(source)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["folder"])
    module, *rest = request["args"]
    sys.path[0], sys.argv[1:] = request["folder"], rest
    first = request["env"].get("PYTHONPATH", "").split(os.pathsep)
    sys.path[1:1] = [folder for folder in first if folder and folder not in sys.path]
    code = _run(module)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)  # taking apart all that was imported would take longer than a run


def _run(module: str) -> int:
    """Run it as `python -m`; the exit code, after all that Python does before it takes its modules apart."""
    code: object = None
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    if code is None or isinstance(code, int):
        return code or 0
    print(code, file=sys.stderr)
    return 1


if __name__ == "__main__":
    main()
