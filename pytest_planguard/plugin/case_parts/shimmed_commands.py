"""The recorded and replayed commands of a running test: shims on its PATH, and the results of their runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...replay.commands.command_run import TapeScope, tape_scope
from ...replay.commands.command_server import CommandServer, child_variables, shims
from ...replay.endpoint.children import equipped_children
from ..options import settings_of
from .refusing_guard import started

if TYPE_CHECKING:
    import pytest

    from ...replay.commands.one_run import Run
    from ...replay.endpoint.children import Equip
    from ...replay.network.processes import ProcessWatch
    from ..marker.marker import Spec


class ShimmedCommands:
    """Shims for the commands that the marker names."""

    def __init__(self, config: pytest.Config, spec: Spec, watch: ProcessWatch | None, beside: Equip | None) -> None:
        """`beside` gives children more variables, such as those of the endpoint. Raises SetupFailed if no port is free.

        `watch` notes children that run no command; None if they are allowed.
        """
        self._names, self._watch, self._beside = spec.commands, watch, beside
        self._stack = ExitStack()
        # Looked up as pytest's own fixtures do; None if pytest's plugin for temporary folders is disabled.
        factory = getattr(config, "_tmp_path_factory", None)
        temporary, scope = None if factory is None else Path(factory.getbasetemp()), _scope(config, spec)
        self._server = started(lambda: CommandServer(temporary, scope), "commands=", "take commands= off its marker")
        self._folder = Path()

    def open(self) -> None:
        """Put the shims first on the PATH, and route each child that starts from now on to them, until `close`.

        Raises: UsageError: this system cannot run shell scripts.
        """
        if os.name != "posix":
            raise UsageError("commands= needs a system with a POSIX shell: got Windows; use WSL")
        self._stack.callback(self._server.close)
        self._folder = self._stack.enter_context(
            shims(self._names, self._server.port, self._server.token, self._server.scope.environment)
        )
        self._stack.enter_context(equipped_children(self.equip))

    def close(self) -> None:
        """Remove the shims, and stop answering runs."""
        self._stack.close()

    @property
    def runs(self) -> Sequence[Run]:
        """The runs so far, in starting order."""
        return tuple(self._server.runs)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader about the runs, one line each."""
        return tuple(self._server.notes)

    @property
    def problems(self) -> tuple[str, ...]:
        """Why a run was refused, if the cassette does not explain it."""
        return tuple(dict.fromkeys(self._server.problems))

    @property
    def is_cut_off(self) -> bool:
        """True while a run is replayed from a truncated cassette: a process that waits for it would wait forever."""
        return any(run.cut_off.is_set() for run in self._server.runs)

    def own(self, path: Path) -> None:
        """Count a file as written by the test."""
        self._server.own_files.committed.add(path)

    def settle(self) -> None:
        """Wait for runs that are about to end, and abort the others."""
        self._server.settle()

    @contextmanager
    def equip(self, command: Sequence[Any], own: Mapping[Any, Any]) -> Iterator[Mapping[str, str]]:
        """Wrap the start of a child, with shims on its PATH and the other additions to its environment."""
        with nullcontext({}) if self._beside is None else self._beside(command, own) as more:
            texts = {os.fsdecode(name): os.fsdecode(value) for name, value in own.items()}
            name, child = self._server.child({variable: texts.get(variable) for variable in more})
            watch = self._watch
            with nullcontext() if watch is None else watch.starting(lambda: child.asked):
                yield {**more, **child_variables(self._folder, name, texts)}


def _scope(config: pytest.Config, spec: Spec) -> TapeScope:
    """Return what to record with each run: as set by the marker, else by the ini file."""
    settings = settings_of(config)
    files = settings.tape_files if spec.tape_files is None else spec.tape_files
    return tape_scope(files, settings.tape_environment if spec.tape_environment is None else spec.tape_environment)
