"""A process that imports what test runs import, and forks for each run that a line of its input asks for.

Run as a file, with a socket as its input. On each connection, a request is a line of JSON (`args`, `folder`, `env`,
`streams`); the answers are two lines, the child's process id and, when it has ended, its exit code and CPU seconds.
"""

import ast
import atexit
import gc
import importlib
import inspect
import json
import os
import pickle
import pkgutil
import re
import runpy
import select
import signal
import socket
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib import metadata
from itertools import pairwise, takewhile
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NoReturn

import _pytest._code.code as pytest_code
import _pytest._code.source as pytest_source
import _pytest.config as pytest_config
import _pytest.fixtures as pytest_fixtures
from _pytest.assertion.rewrite import AssertionRewritingHook

from pytest_planguard.cli.diff import code_changes
from pytest_planguard.plans.reading import markdown_pieces
from pytest_planguard.plugin.rerun import watching
from pytest_planguard.report.forms import html
from pytest_planguard.retry import proof
from pytest_planguard.retry.matching import praise
from pytest_planguard.retry.reading import comparison
from pytest_planguard.runs.model import codec
from pytest_planguard.runs.model.run import CaseRow, RunHeader

LIBRARIES = (
    "pdb",
    "readline",
    "pydantic",
    "jsonschema_rs",
    "yaml",
    "vcr",
    "vcr.stubs.httpx_stubs",
    "vcr.stubs.requests_stubs",
    "vcr.stubs.urllib3_stubs",
    "httpx2",
    "httpcore2",
    "anyio._backends._asyncio",
    "openai",
    "openai.resources.chat.chat",
    "openai.resources.responses.responses",
    "anthropic",
    "execnet.gateway_io",
    "xdist.remote",
    "xdist.workermanage",
)
OURS = ("contract", "document", "plugin", "replay", "retry", "plans", "pipeline", "report", "runs", "wire", "cli")
"""Folders of this package whose modules are imported; `testing` loads Hypothesis, which most runs go without."""
BLOCKED = ((), ("no:cacheprovider",))
"""What runs block on their command line: those of a page's commands, and those of `Example`."""
SHOWN = (
    "_pytest.capture",
    "_pytest.logging",
    "_pytest.main",
    "_pytest.python",
    "_pytest.runner",
    "_pytest.terminal",
    "_pytest.unraisableexception",
    "contextlib",
    "httpx2._client",
    "pluggy._caller",
    "pluggy._callers",
    "pluggy._manager",
    "pytest_planguard.plugin",
)
"""Modules that tracebacks of most errors go through."""
STREAMS = (0, 1, 2)
LOOK_S = 0.5
"""Seconds between two looks whether a worker still needs this process."""
TEACHERS = 20
"""Runs whose regular expressions are compiled for those that follow: a run would take a sixth of its time for it."""
MESSAGES: Any = [{"role": "user", "content": "x"}]
ANSWERS: Any = {
    "/v1/chat/completions": {"choices": [{"index": 0, "message": {"role": "assistant", "content": "x"}}]},
    "/v1/responses": {"output": [{"type": "message", "content": [{"type": "output_text", "text": "x"}]}]},
    "/v1/messages": {"content": [{"type": "text", "text": "x"}]},
}


def main() -> None:
    """Serve until nobody is connected any more."""
    if os.fork():
        return
    try:
        _prepare()
        _accept(socket.socket(fileno=os.dup(0)))
    finally:
        Path(sys.argv[1]).unlink()


def _prepare() -> None:
    """Do once what each run would do at its start."""
    _import_all()
    _make_once()
    _keep_configs()
    _keep_fixture_names()
    _mark_unseen()
    _fork_probes()
    _keep_metadata()
    _keep_statements()
    _gather_names()
    watching.project_modules(Path("/"))  # so that no rerun looks at these modules again
    _keep_files()
    gc.freeze()  # pytest collects garbage several times a run, and would go through all that is imported each time
    re._MAXCACHE = 10_000  # patterns; Python keeps 512, fewer than the modules and the teachers have


def _accept(listening: socket.socket) -> None:
    """Fork a process for each worker that connects, until all of them have ended."""
    serving = 0
    while True:
        waiting = select.select([listening], [], [], LOOK_S)[0]
        if waiting:
            link = listening.accept()[0]
            if not os.fork():
                listening.close()
                _run(partial(_serve, link))
            link.close()
            serving += 1
        while serving and os.waitpid(-1, os.WNOHANG)[0]:
            serving -= 1
        if not (waiting or serving):
            return


def _serve(link: socket.socket) -> None:
    """Answer the requests of a worker until it disconnects."""
    requests = link.makefile("rb")
    for number, line in enumerate(requests):
        request = json.loads(line)
        patterns = Path(f"{request['streams'][0]}.patterns")
        child = os.fork()
        if not child:
            requests.close()
            link.close()
            _become(request, patterns if number < TEACHERS else None)
        link.sendall(b"%d\n" % child)
        _, status, usage = os.wait4(child, 0)
        _learn(patterns)
        answer = [os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime]
        link.sendall(json.dumps(answer).encode() + b"\n")


def _tell_patterns(path: Path) -> None:
    """Write the regular expressions that this process has compiled, with their flags."""
    path.write_bytes(pickle.dumps([key[1:] for key in re._cache if isinstance(key[1], str)]))


def _learn(patterns: Path) -> None:
    """Compile the regular expressions of a run, so that later runs find them in the cache."""
    with suppress(FileNotFoundError, EOFError):  # a run that was killed has told nothing, or not all
        for pattern, flags in pickle.loads(patterns.read_bytes()):
            re.compile(pattern, flags)


def _import_all() -> None:
    from _pytest.config import default_plugins

    with warnings.catch_warnings(action="ignore"):
        for module in (*(f"_pytest.{name}" for name in default_plugins), *LIBRARIES, *_own_modules()):
            with suppress(ImportError):
                importlib.import_module(module)


def _make_once() -> None:
    """Make what each run would make again: this takes half of a short run."""
    for kind in (CaseRow, RunHeader):
        codec._adapter(kind)
        codec._validator(kind)
    stock = proof._known, proof._pieces
    for make in (comparison._words, praise.complaint, *stock):
        make()
    html._environment()
    markdown_pieces._parser()
    with suppress(ImportError, TypeError):  # earlier SDKs take a client of another library
        _ask_once()


def _ask_once() -> None:
    """Have each SDK send a request and read its answer: it then makes the models of both."""
    import anthropic
    import httpx2
    import openai

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json=ANSWERS[request.url.path])

    with httpx2.Client(transport=httpx2.MockTransport(answer)) as client:
        ours: Any = openai.OpenAI(base_url="http://127.0.0.1/v1", api_key="x", http_client=client)
        ours.chat.completions.create(model="x", messages=MESSAGES)
        ours.responses.create(model="x", input=MESSAGES)
        theirs: Any = anthropic.Anthropic(base_url="http://127.0.0.1", api_key="x", http_client=client)
        theirs.messages.create(model="x", max_tokens=1, messages=MESSAGES)


def _keep_fixture_names() -> None:
    """Have a session look for fixtures among those names of its plugins that have one: 30 of 2,000."""
    kept = {
        id(module): [key for key, value in vars(module).items() if type(value).__module__ == "_pytest.fixtures"]
        for name, module in sys.modules.items()
        if name.startswith("_pytest.") or name == "pytest_planguard.plugin"
    }

    def names(holder: object) -> Sequence[str]:
        if type(holder).__module__.startswith("_pytest."):  # a plugin that is an object, such as the terminal's
            return ()
        own = kept.get(id(holder))
        return dir(holder) if own is None else own

    if hasattr(pytest_fixtures, "FixtureFunctionDefinition"):  # earlier versions of pytest mark a function
        pytest_fixtures.dir = names


def _mark_unseen() -> None:
    """Mark modules for rewriting without a warning that plugins, or modules of their names, were imported before."""

    def mark_rewrite(self: AssertionRewritingHook, *names: str) -> None:
        self._must_rewrite.update(names)
        self._marked_for_rewrite_cache.clear()

    AssertionRewritingHook.mark_rewrite = mark_rewrite


def _gather_names() -> None:
    """Have the names of modules side by side in memory: a run goes through them, and copies each page it touches."""
    names = [(f" {name}"[1:], module) for name, module in sys.modules.items()]
    sys.modules.clear()
    sys.modules.update(names)


def _keep_metadata() -> None:
    """Have a run find plugins without reading and parsing a file of each package that is installed."""
    kind = metadata.PathDistribution
    installed = [one for one in metadata.distributions() if isinstance(one, kind)]
    _keep_property(kind, "entry_points", installed)
    plugins = [one for one in installed if any(point.group == "pytest11" for point in one.entry_points)]
    _keep_property(kind, "metadata", plugins)  # the header of a run has their versions


def _keep_property(kind: type[metadata.PathDistribution], name: str, known: Sequence[Any]) -> None:
    whole: property = getattr(kind, name)
    values = {str(one._path): getattr(one, name) for one in known}

    def kept(self: Any) -> Any:
        key = str(self._path)
        return values[key] if key in values else whole.__get__(self)

    setattr(kind, name, property(kept))


def _keep_statements() -> None:
    """Have a traceback know where the statements of `SHOWN` begin: to parse a file takes a third of a short run."""
    if not hasattr(pytest_source, "_statement_linenos"):  # earlier versions of pytest walk the tree for each line
        return
    whole = pytest_code.getstatementrange_ast
    trees = dict[str, ast.AST]()
    for module in filter(None, map(sys.modules.get, SHOWN)):
        text = str(pytest_source.Source(inspect.getsource(module)))
        trees[text] = tree = ast.parse(text)
        pytest_source._statement_linenos(tree)
        tree.body.clear()  # pytest keeps the numbers at the tree, and asks for nothing else

    def getstatementrange_ast(
        lineno: int, source: pytest_source.Source, assertion: bool = False, astnode: ast.AST | None = None
    ) -> tuple[ast.AST, int, int]:
        return whole(lineno, source, assertion, astnode or trees.get(str(source)))

    pytest_code.getstatementrange_ast = getstatementrange_ast


def _keep_files() -> None:
    """Have a run that shows a traceback look for the files of its own modules, and not for those of all others."""
    whole = inspect.getmodule
    whole(main.__code__)
    last = next(reversed(sys.modules))

    def getmodule(subject: object, _filename: str | None = None) -> ModuleType | None:
        for name in takewhile(lambda name: name != last, reversed(sys.modules)):
            path = getattr(sys.modules[name], "__file__", None)
            if path is not None:
                inspect.modulesbyfile.setdefault(path, name)
        return whole(subject, _filename)

    inspect.getmodule = getmodule


def _keep_configs() -> None:
    """Give runs of pytest a config that has its default plugins already: making one takes a quarter of a short run.

    A run that starts in another way than those that `BLOCKED` lists makes its own.
    """
    make = pytest_config.get_config
    own = {"prog": "python -m pytest"} if "prog" in inspect.signature(make).parameters else {}
    kept = {blocked: make([word for name in blocked for word in ("-p", name)], **own) for blocked in BLOCKED}

    def get_config(args: Any = None, plugins: Any = None, **given: Any) -> Any:
        config = kept.pop(_blocked(args or ()), None)  # a run that the first one starts in its process makes its own
        if config is None or plugins or given != own or "PYTEST_DEBUG" in os.environ:
            return make(args, plugins, **given)
        config.invocation_params = config.InvocationParams(args=args or (), plugins=plugins, dir=Path.cwd())
        return config

    pytest_config.get_config = get_config


def _fork_probes() -> None:
    """Have a run of `planguard diff` fork for the facts of each tree, too: starting Python takes most of such a run."""
    paths, modules = [*sys.path], {*sys.modules}

    def run_probe(asked: Path, answered: Path, tree: Path) -> str:
        child = os.fork()
        if not child:
            atexit._clear()  # the parent's temporary folders are its own to remove
            sys.path[:] = paths
            for name in {*sys.modules} - modules:
                del sys.modules[name]
            words = ["pytest_planguard.plugin.probe", str(asked), str(answered)]
            streams = (os.devnull, str(asked.with_suffix(".err")))
            _become({"args": words, "folder": str(tree), "env": dict(os.environ), "streams": streams})
        return "" if os.waitpid(child, 0)[1] == 0 else "its process ended"

    code_changes.run_probe = run_probe


def _blocked(args: Sequence[str]) -> tuple[str, ...]:
    """Return the plugins that arguments block: `-p no:terminal` gives "no:terminal", as `-pno:terminal` does."""
    joined = (arg[2:].strip() for arg in args if arg.startswith("-p"))
    apart = (arg.strip() for option, arg in pairwise(args) if option == "-p")
    return tuple(name for name in (*apart, *joined) if name.startswith("no:"))


def _own_modules() -> Iterator[str]:
    """Yield the names of this package's modules in `OURS`."""
    package = importlib.import_module("pytest_planguard").__path__[0]
    for folder in OURS:
        for module in pkgutil.walk_packages([f"{package}/{folder}"], f"pytest_planguard.{folder}."):
            if not module.name.endswith("__main__"):
                yield module.name


def _become(request: dict[str, Any], patterns: Path | None = None) -> NoReturn:
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
    if before := request["env"].get("WARM_FIRST"):  # a file that changes this process: tools/mutants/inner.py
        runpy.run_path(before)
    _fork_workers(rest)
    if patterns is not None:
        atexit.register(_tell_patterns, patterns)
    _run(lambda: runpy.run_module(module, run_name="__main__", alter_sys=True))


def _fork_workers(args: Sequence[str]) -> None:
    """Fork the workers that `-n 2` asks pytest-xdist for, before the run has threads; they wait until it starts them.

    A worker that takes the place of one that crashed starts Python.
    """
    asked = next((int(number) for option, number in pairwise(args) if option == "-n" and number.isdigit()), 0)
    gateway = sys.modules.get("execnet.gateway_io")
    if not asked or gateway is None:
        return
    spare = [_Worker() for _ in range(asked)]
    start = gateway.Popen2IOMaster.__init__

    def init(self: Any, args: Any, execmodel: Any) -> None:
        if not spare:
            start(self, args, execmodel)
            return
        self.popen = worker = spare.pop(0)
        worker.stdin.write(json.dumps([dict(os.environ), str(Path.cwd())]).encode() + b"\n")
        gateway.Popen2IO.__init__(self, worker.stdin, worker.stdout, execmodel)

    gateway.Popen2IOMaster.__init__ = init


class _Worker:
    """The process of a worker, with the part of `subprocess.Popen` that execnet takes."""

    open_ends: ClassVar[list[int]] = []

    def __init__(self) -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        self.open_ends.extend((ours_out, ours_in))
        self._pid = os.fork()
        if not self._pid:
            for end, stream in ((theirs_in, 0), (theirs_out, 1)):
                os.dup2(end, stream)
            for end in (theirs_in, theirs_out, *self.open_ends):
                os.close(end)
            _run(_work)
        os.close(theirs_in)
        os.close(theirs_out)
        self.stdin, self.stdout = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")

    def wait(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)


def _work() -> None:
    """Do what execnet has a new interpreter do, unless the run ends before."""
    started = sys.stdin.readline()
    if not started:
        return
    environment, folder = json.loads(started)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path[0], sys.argv[:] = "", ["-c"]
    exec(eval(sys.stdin.readline()), {"__name__": "__main__"})


def _run(call: Callable[[], object]) -> NoReturn:
    """Call it as a program, and end this process after all that Python does before it takes its modules apart."""
    code = _exit_code(call)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)  # taking apart all that was imported would take longer than a run


def _exit_code(call: Callable[[], object]) -> int:
    code: object = None
    try:
        call()
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
