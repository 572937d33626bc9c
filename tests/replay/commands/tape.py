"""A tape in a folder of its own: a real program on PATH while it is recorded, none while it is replayed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_planguard.replay.commands.command_server import CommandServer, shims
from pytest_planguard.replay.commands.taped_run import EVERYTHING, TapeScope
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.replay.session.session import CassetteSession

SYSTEM = "/usr/bin:/bin"


@dataclass
class Tape:
    """One recording of commands."""

    base: Path
    contracts: Sequence[Any] = ()
    names: tuple[str, ...] = ("agent",)
    scope: TapeScope = EVERYTHING
    programs: dict[str, str] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The cassette."""
        return self.base / "tape.yaml"

    def install(self, **scripts: str) -> Tape:
        """Put programs for the shell onto the PATH of cassettes."""
        folder = self.base / "bin"
        folder.mkdir(exist_ok=True)
        for name, script in scripts.items():
            (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            (folder / name).chmod(0o755)
        return self

    @contextmanager
    def recorded(self) -> Iterator[Open]:
        """Record what is run in the block, by the real programs."""
        with self._opened("missing", f"{self.base / 'bin'}:{SYSTEM}") as opened:
            yield opened

    @contextmanager
    def replayed(self) -> Iterator[Open]:
        """Replay it, on a PATH without them."""
        with self._opened("none", SYSTEM) as opened:
            yield opened

    @contextmanager
    def _opened(self, mode: Any, path: str) -> Iterator[Open]:
        before = os.environ["PATH"]
        os.environ["PATH"] = path
        try:
            with open_cassette(self.file, mode=mode, contracts=self.contracts) as session:
                server = CommandServer(self.base, self.scope)
                with shims(self.names, server.port, server.token, self.scope.environment):
                    yield Open(session, server, self._fresh())
                    server.settle()
                server.close()
        finally:
            os.environ["PATH"] = before

    def _fresh(self) -> Path:
        number = len([*self.base.glob("work*")])
        folder = self.base / f"work{number}"
        folder.mkdir()
        return folder


@dataclass
class Open:
    """A tape that is recorded or replayed now."""

    session: CassetteSession
    server: CommandServer
    work: Path
    """Where commands run: a fresh folder."""

    def run(self, *words: str, stdin: bytes = b"", **how: Any) -> subprocess.CompletedProcess[bytes]:
        """Run a command to its end."""
        how.setdefault("cwd", self.work)
        return subprocess.run(words, input=stdin, capture_output=True, timeout=120, check=False, **how)
