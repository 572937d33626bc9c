"""Describe a project for `planguard init`: how it installs packages, the SDKs it uses, and its cassettes."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ...printable import one_line
from ...report.answer.finding_text import count
from .installing import REQUIREMENTS, pyproject, table

PACKAGE = "pytest-planguard"
NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]*)")
"""The package of a requirement: "openai" in "openai[datalib]>=1.60; python_version < '4'"."""
RECORDED = {
    "anthropic",
    "cohere",
    "google-genai",
    "groq",
    "instructor",
    "langchain",
    "langchain-anthropic",
    "langchain-openai",
    "langgraph",
    "litellm",
    "mistralai",
    "ollama",
    "openai",
    "openai-agents",
    "pydantic-ai",
    "pydantic-ai-slim",
}
"""SDKs whose traffic is recorded without any setting."""
SETTINGS = {
    "crewai": "set CREWAI_DISABLE_TELEMETRY=true and OTEL_SDK_DISABLED=true while tests run",
    "dspy": 'create the model with engine="litellm" and cache=False',
    "xai-sdk": "gRPC cannot be recorded; use the openai package with xAI's address",
    "pytest-recording": "planguard_vcr = report in pytest.ini judges the tests that you have",
    "pytest-vcr": "planguard_vcr = report in pytest.ini judges the tests that you have",
}
"""Advice on a package."""
MOST_FOLDERS = 2_000
"""Maximum number of folders to search for cassettes. In a larger project, only those found so far are listed."""


def findings(folder: Path) -> Iterator[str]:
    """Yield a line for each finding: the command that adds planguard, the SDKs, and folders with cassettes."""
    declared = frozenset(_declared(folder))
    if PACKAGE not in declared and (command := _adding(folder)):
        yield f"to add planguard to the project: {command}"
    if recorded := sorted(declared & RECORDED):
        yield f"{', '.join(recorded)}: recorded without any setting"
    yield from (f"{name}: {advice}" for name, advice in SETTINGS.items() if name in declared)
    for path, files in sorted(_cassettes(folder).items()):
        shown = one_line(path.as_posix(), 200)
        yield f"{shown}: {count(files, 'cassette')}; to judge what is recorded: planguard check {shown}"


def _adding(folder: Path) -> str | None:
    """Return how this project adds a package for its tests; None if no file says so."""
    data = pyproject(folder)
    tools = table(data, "tool")
    if (folder / "uv.lock").is_file() or "uv" in tools:
        return f"uv add --dev {PACKAGE}"
    if (folder / "poetry.lock").is_file() or "poetry" in tools:
        return f"poetry add --group dev {PACKAGE}"
    files = [name for name in REQUIREMENTS if (folder / name).is_file()]
    if files:
        return f"add the line {PACKAGE} to {files[-1]}"
    return f"add {PACKAGE} to the group dev of [dependency-groups] in pyproject.toml" if "project" in data else None


def _declared(folder: Path) -> Iterator[str]:
    """Yield the packages that pyproject.toml and files of requirements name, in lower case with hyphens."""
    data = pyproject(folder)
    project, poetry = table(data, "project"), table(table(data, "tool"), "poetry")
    groups = [project.get("dependencies"), *table(project, "optional-dependencies").values()]
    groups += table(data, "dependency-groups").values()
    groups += [table(poetry, "dependencies"), *(table(one, "dependencies") for one in table(poetry, "group").values())]
    files = [folder / name for name in REQUIREMENTS if (folder / name).is_file()]
    groups += [path.read_text(encoding="utf-8", errors="replace").splitlines() for path in files]
    for group in groups:
        for requirement in group if isinstance(group, list | dict) else ():
            if match := NAME.match(str(requirement)):
                yield re.sub(r"[-_.]+", "-", match[1]).lower()


def _cassettes(folder: Path) -> Counter[Path]:
    """Return the outermost folders named `cassettes` with the number of YAML and JSON files below each."""
    found: Counter[Path] = Counter()
    for searched, (name, folders, files) in enumerate(os.walk(folder)):
        if searched == MOST_FOLDERS:
            break
        folders[:] = [one for one in folders if not one.startswith(".") and one not in {"node_modules", "venv"}]
        here = Path(name).relative_to(folder)
        if "cassettes" in here.parts and (number := sum(one.endswith((".yaml", ".yml", ".json")) for one in files)):
            found[Path(*here.parts[: here.parts.index("cassettes") + 1])] += number
    return found
