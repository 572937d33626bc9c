"""What must hold before a release: `python -m tools.release_check`.

Every dependency has a lower bound (`make lowest` runs the tests on it), what is installed with the package has a known
licence, the wheel is the same bytes when it is built again, and no secret is in what is published.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from pytest_planguard.replay.privacy.redaction import Redaction
from pytest_planguard.replay.privacy.secrets import find_secrets

ROOT = Path(__file__).parent.parent
ALLOWED = re.compile(r"(?i)\b(?:MIT|BSD|Apache|PSF|Python Software Foundation|ISC|MPL|Mozilla Public)\b")
"""Licences that may be installed with the package: permissive ones, and the Mozilla Public License of test tools."""
EPOCH = "1767225600"
"""The time that files of a wheel get: 2026-01-01."""
PLANTED = ("tests/", "docs/", "fixtures/", "tools/", "benchmarks/", "pytest_planguard/replay/privacy/")
"""Folders whose files hold made-up secrets: tests plant them, pages and the rules of redaction show their shapes."""
BY_NAME = ("value of ", "field ", "element ")
"""Kinds that only a name tells: in code they are examples and parameters."""


def requirements() -> dict[str, str]:
    """Return each dependency, those of the extras too, with its bounds: {"click": ">=8.1"}."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    every = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    parts = (re.match(r"([\w.-]+)(?:\[[^\]]*\])?\s*(.*)", one) for one in every)
    return {part[1]: part[2] for part in parts if part and part[1] != project["name"]}


def unbounded() -> list[str]:
    """Return the dependencies without a lower bound."""
    return [name for name, bounds in requirements().items() if ">=" not in bounds.partition(";")[0]]


def licences() -> Iterator[tuple[str, str]]:
    """Yield each package that is installed with this one, what those need included, with its licence."""
    seen: set[str] = set()
    waiting = list(requirements())
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            found = distribution(name)
        except PackageNotFoundError:  # for another system or another version of Python
            continue
        yield name, _licence(found.metadata)
        needs = (one for one in found.requires or () if "extra ==" not in one)
        waiting += [match[0] for one in needs if (match := re.match(r"[\w.-]+", one))]


def _licence(metadata: object) -> str:
    get_all = getattr(metadata, "get_all", None)
    fields = ("License-Expression", "License", "Classifier")
    values = [value for field in fields for value in (get_all(field) or ()) if get_all is not None]
    told = [value for value in values if not value.startswith(tuple(_OTHER_CLASSIFIERS))]
    return "; ".join(value.splitlines()[0][:80] for value in told if value.strip()) or "unknown"


_OTHER_CLASSIFIERS = (
    "Development",
    "Environment",
    "Framework",
    "Intended",
    "Natural",
    "Operating",
    "Programming",
    "Topic",
    "Typing",
)


def backend(folder: Path) -> Path:
    """Install the build backend that pyproject.toml names into an environment of its own; returns its Python."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", *needed], check=True, stderr=subprocess.DEVNULL)
    return python


def build(python: Path, kind: str, folder: Path) -> Path:
    """Build the wheel or the sdist with a fixed time; returns the file. Raises CalledProcessError."""
    script = "import hatchling.build as backend, sys; getattr(backend, 'build_' + sys.argv[1])(sys.argv[2])"
    env = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
    subprocess.run([python, "-c", script, kind, str(folder)], cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)
    return next(iter(folder.iterdir()))


def secrets_in(archive: Path) -> list[str]:
    """Return the places of secrets in a wheel or an sdist, those aside that tests and pages make up."""
    rules = Redaction()
    return [
        f"{name}: {secret.kind} in line {text.count(chr(10), 0, secret.start) + 1}"
        for name, text in _texts(archive)
        if not name.startswith(PLANTED)
        for secret in find_secrets(text, rules.more)
        if not secret.kind.startswith(BY_NAME)
    ]


def _texts(archive: Path) -> Iterator[tuple[str, str]]:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as opened:
            yield from ((name, opened.read(name).decode("utf-8", "replace")) for name in opened.namelist())
        return
    with tarfile.open(archive) as packed:
        for member in packed:
            file = packed.extractfile(member)
            if file is not None:
                yield member.name.partition("/")[2], file.read().decode("utf-8", "replace")


def _of_archives(folder: Path) -> Iterator[str]:
    """Build what is published, the wheel twice; yield what is wrong with it."""
    python = backend(folder / "venv")
    files = []
    for number, kind in enumerate(("wheel", "wheel", "sdist")):
        own = folder / str(number)
        own.mkdir()
        files.append(build(python, kind, own))
    if len({hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in files[:2]}) > 1:
        yield f"not the same bytes when built again: {files[0].name}"
    for file in files[1:]:
        yield from (f"secret in {file.name}: {place}" for place in secrets_in(file))


def main() -> int:
    """Print what holds and what does not; returns 1 where something does not."""
    failures = [f"no lower bound: {name}" for name in unbounded()]
    every = sorted(licences())
    failures += [
        f"licence to be looked at: {name} ({licence})" for name, licence in every if not ALLOWED.search(licence)
    ]
    with tempfile.TemporaryDirectory() as name:
        failures += list(_of_archives(Path(name)))
    print(f"{len(requirements())} dependencies with bounds, {len(every)} packages with licences")
    print("\n".join(failures) if failures else "all holds")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
