"""The clients' dependencies, built in `.venv-clients`: npm packages, a Go binary, BAML's generated client."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from ..environments import ROOT, environment

FOLDER = ROOT / ".venv-clients"
PROGRAMS = Path(__file__).parent / "programs"
PYTHON = FOLDER / "bin" / "python"
BAML = FOLDER / "bin" / "baml-cli"
OTHERS = ("aiohttp", "requests", "trio", "websockets", "grpcio", "pycurl", "curl_cffi", "primp", "httpx", "niquests")
"""Python packages that only the tests of uncovered transports need."""


class Client(NamedTuple):
    """A program, its start command, and the tool that the machine must have."""

    name: str
    command: list[str]
    needs: str
    environment: dict[str, str]
    version: list[str]
    """The command that prints the version of its SDK or language."""


def clients() -> list[Client]:
    """Return all clients, built or not."""
    node = {"NODE_PACKAGES": str(FOLDER), "NODE_NO_WARNINGS": "1"}
    baml = {"PYTHONPATH": str(FOLDER / "baml"), "BAML_LOG": "off"}
    listed = ["npm", "ls", "--prefix", str(FOLDER), "--depth=0"]
    pip = [str(PYTHON), "-m", "pip", "show", "baml-py"]
    return [
        Client("shell", ["sh", str(PROGRAMS / "agent.sh")], "curl", {}, ["curl", "--version"]),
        Client("node-openai", ["node", str(PROGRAMS / "node_openai.mjs")], "npm", node, [*listed, "openai"]),
        Client(
            "node-anthropic",
            ["node", str(PROGRAMS / "node_anthropic.mjs")],
            "npm",
            node,
            [*listed, "@anthropic-ai/sdk"],
        ),
        Client("go", [str(FOLDER / "agent-go")], "go", {}, ["go", "version"]),
        Client("baml", [str(PYTHON), str(PROGRAMS / "agent_baml.py")], "python3", baml, pip),
    ]


def build() -> None:
    """Build the missing parts. Raises subprocess.CalledProcessError if a tool fails."""
    environment(FOLDER, "--upgrade", "pip>=25.1")
    if not BAML.exists():
        pip = [str(PYTHON), "-m", "pip", "install", "--quiet"]
        _run([*pip, "--editable", str(ROOT), "--group", f"{ROOT}/pyproject.toml:dev", "baml-py", *OTHERS])
    if shutil.which("npm") and not (FOLDER / "node_modules").exists():
        packages = ["openai", "@anthropic-ai/sdk"]
        _run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(FOLDER), *packages])
    if shutil.which("go"):
        _run(["go", "build", "-o", str(FOLDER / "agent-go"), str(PROGRAMS / "agent.go")])
    _generate_baml()


def _generate_baml() -> None:
    """Generate BAML's client; the generator wants its own version in its source."""
    shown = subprocess.run([str(PYTHON), "-m", "pip", "show", "baml-py"], check=True, capture_output=True, text=True)
    version = next(line.split()[1] for line in shown.stdout.splitlines() if line.startswith("Version:"))
    target = FOLDER / "baml" / "baml_src"
    target.mkdir(parents=True, exist_ok=True)
    source = (PROGRAMS / "baml_src" / "main.baml").read_text(encoding="utf-8")
    (target / "main.baml").write_text(source.replace("VERSION", version), encoding="utf-8")
    _run([str(BAML), "generate", "--from", str(target)])


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True)
