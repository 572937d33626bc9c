"""The versions of the clients that tests use to reach models, reported by the processes that ran tests."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

KEY = "planguard_sdks"
ALWAYS = ("pytest", "pydantic")
SDKS = {
    "anthropic": "anthropic",
    "boto3": "boto3",
    "cohere": "cohere",
    "google.genai": "google-genai",
    "groq": "groq",
    "instructor": "instructor",
    "langchain_core": "langchain-core",
    "litellm": "litellm",
    "mistralai": "mistralai",
    "ollama": "ollama",
    "openai": "openai",
    "pydantic_ai": "pydantic-ai-slim",
}
"""Module to package."""
TOLD: pytest.StashKey[dict[str, str]] = pytest.StashKey()
"""Versions reported by workers."""


def packages(config: pytest.Config) -> dict[str, str]:
    """Return the versions that may explain a difference: planguard, pytest, pydantic and the loaded clients."""
    from ... import __version__

    own = {"pytest-planguard": __version__, **versions(ALWAYS)}
    return own | config.stash.get(TOLD, {}) | loaded()


def loaded() -> dict[str, str]:
    """Return the clients that this process has loaded."""
    return versions(package for module, package in SDKS.items() if module in sys.modules)


def versions(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of packages by name, without those that are not installed as packages."""
    return {name: found for name in names if (found := _version(name))}


def _version(name: str) -> str | None:
    """Return the version of the loaded module, else of the package's metadata, which takes milliseconds to read."""
    said = getattr(sys.modules.get(name), "__version__", None)
    if isinstance(said, str):
        return said
    try:
        return version(name)
    except PackageNotFoundError:
        return None


class Telling:
    """Reports a worker's versions at its end. A killed worker reports none; the others have the same."""

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Leave the versions for the controller."""
        output: dict[str, object] = session.config.workeroutput  # type: ignore[attr-defined]
        output[KEY] = loaded()


class Listening:
    """Collects the workers' versions in the controlling process."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take the versions of a worker that ends."""
        told = getattr(node, "workeroutput", {}).get(KEY, {})
        self._config.stash.setdefault(TOLD, {}).update(told)
