"""Record the tapes in cassettes/command_agents with the small model of tools/local_model, which must be running.

python -m tools.command_agents.record http://127.0.0.1:18431/v1
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from pytest_planguard.replay.commands.command_server import CommandServer
from pytest_planguard.replay.commands.shims import shims
from pytest_planguard.replay.session.cassette import open_cassette

from .loop import TASKS, write_ticket

FOLDER = Path(__file__).parents[2] / "cassettes" / "command_agents"
AGENT = Path(__file__).with_name("ticket_agent.py")


def main(url: str) -> None:
    """Record one tape for each task."""
    os.environ["TICKET_AGENT_URL"] = url
    for name, task in TASKS.items():
        with tempfile.TemporaryDirectory() as folder:
            place, work = Path(folder, "bin"), Path(folder, "work")
            place.mkdir()
            work.mkdir()
            (place / "ticket-agent").write_text(AGENT.read_text(encoding="utf-8"), encoding="utf-8")
            (place / "ticket-agent").chmod(0o755)
            os.environ["PATH"] = f"{place}{os.pathsep}{os.environ['PATH']}"
            with open_cassette(FOLDER / f"{name}.yaml", mode="all", block_network=False):
                server = CommandServer(Path(folder))
                with shims(["ticket-agent"], server.port, server.token):
                    print(name, write_ticket(work, task), flush=True)
                server.settle()
                server.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
