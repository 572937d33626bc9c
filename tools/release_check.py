"""Check that a release is ready: `python -m tools.release_check [--tag v0.1.0] [--keep dist]`.

Every dependency has a lower bound (`make lowest` runs the tests with it), and installed packages have known licences.
Wheel and sdist have the same bytes when built again, pass twine and check-wheel-contents, and contain a licence and no
secret. With a tag, version and changelog match the release. `--keep` leaves the checked wheel and sdist.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from pytest_planguard import __version__
from pytest_planguard.replay.privacy.redaction_rules import Redaction
from pytest_planguard.replay.privacy.secrets import find_secrets

from .environments import ROOT, environment
from .lowest import lowest

ALLOWED = re.compile(r"(?i)\b(?:MIT|BSD|Apache|PSF|Python Software Foundation|ISC|MPL|Mozilla Public)\b")
"""Licences of packages that may be installed: permissive ones, and the Mozilla Public License of test tools."""
EPOCH = "1767225600"
"""The time of files in a wheel: 2026-01-01."""
PLANTED = (
    "tests/",
    "docs/",
    "fixtures/",
    "benchmarks/",
    "pytest_planguard/document/secrets.py",
    "pytest_planguard/replay/privacy/",
)
"""Folders whose files hold made-up secrets: tests plant them, pages and redaction rules show their forms."""
BY_NAME = ("value of ", "field ", "element ")
"""Kinds that only a name identifies: in code they are examples and parameters."""


def licences() -> Iterator[tuple[str, str]]:
    """Yield each package that is installed with this one, including indirect dependencies, with its licence."""
    seen: set[str] = set()
    waiting = [pin.partition("==")[0] for pin in lowest()]
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
    fields = {"License-Expression": "", "License": "", "Classifier": "License ::"}
    values = [(value, start) for field, start in fields.items() for value in (get_all and get_all(field)) or ()]
    said = [value.splitlines()[0][:80] for value, start in values if value.strip() and value.startswith(start)]
    return "; ".join(said) or "unknown"


def backend(folder: Path) -> Path:
    """Install pyproject.toml's build backend into a new environment, and return its Python."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    return environment(folder, *needed)


def build(python: Path, kind: str, folder: Path) -> Path:
    """Build the wheel or the sdist into a new folder with a fixed time. Raises CalledProcessError."""
    folder.mkdir()
    script = "import hatchling.build as backend, sys; getattr(backend, 'build_' + sys.argv[1])(sys.argv[2])"
    env = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
    subprocess.run([python, "-c", script, kind, str(folder)], cwd=ROOT, env=env, check=True, stdout=subprocess.DEVNULL)
    return next(iter(folder.iterdir()))


def secrets_in(archive: Path) -> list[str]:
    """Return the places of secrets in a wheel or an sdist, except made-up ones in tests and pages."""
    rules = Redaction()
    return [
        f"{name}: {secret.kind} in line {text.count(chr(10), 0, secret.start) + 1}"
        for name, text in _texts(archive)
        if not name.startswith(PLANTED) and not name.endswith(".dist-info/RECORD")  # hashes of files
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


def untold(tag: str, version: str = __version__, root: Path = ROOT) -> Iterator[str]:
    """Yield the differences between a tag and the version or the changelog."""
    if tag != f"v{version}":
        yield f"tag {tag} is not v{version}, the version of the package"
    if not re.search(rf"(?m)^## {re.escape(version)} \(\d{{4}}-", (root / "CHANGELOG.md").read_text("utf-8")):
        yield f"no dated section in CHANGELOG.md: ## {version} (2026-01-01)"
    waiting = {path.name for path in (root / "changelog.d").iterdir()} - {"README.md"}
    yield from (f"not yet in CHANGELOG.md: changelog.d/{name}" for name in sorted(waiting))


def unlicensed(archive: Path) -> bool:
    """Return whether the archive lacks this project's licence file."""
    licence = (ROOT / "LICENSE").read_text("utf-8")
    return all(text != licence for name, text in _texts(archive) if name.endswith("LICENSE"))


def refusals(archive: Path) -> Iterator[str]:
    """Yield what twine and check-wheel-contents object to."""
    commands = [["twine", "check", "--strict"], *([["check_wheel_contents"]] if archive.suffix == ".whl" else [])]
    for command in commands:
        run = [sys.executable, "-m", *command, str(archive)]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        if done.returncode:
            yield f"{command[0]} refuses {archive.name}: {(done.stdout + done.stderr).strip()}"


def _of_archives(folder: Path, keep: Path | None) -> Iterator[str]:
    """Build the published files twice, print their size and hash, and yield their faults."""
    python = backend(folder / "venv")
    for kind in ("wheel", "sdist"):
        first, again = (build(python, kind, folder / f"{kind}-{number}") for number in (1, 2))
        hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in (first, again)]
        print(f"{first.name}: {first.stat().st_size:,} bytes, sha256 {' and '.join(hashes)}")
        if hashes[0] != hashes[1]:
            yield f"not the same bytes when built again: {first.name}"
        if unlicensed(first):
            yield f"no LICENSE in {first.name}"
        yield from (f"secret in {first.name}: {place}" for place in secrets_in(first))
        yield from refusals(first)
        if keep:
            keep.mkdir(exist_ok=True)
            shutil.copy(first, keep)


def main(argv: list[str] | None = None) -> int:
    """Print the results, and return 1 after a failure."""
    options = argparse.ArgumentParser(description="What must hold before a release.")
    options.add_argument("--tag", help="of the release: v0.1.0")
    options.add_argument("--keep", type=Path, help="folder for the wheel and the sdist")
    given = options.parse_args(argv)
    every = sorted(licences())
    failures = [
        f"licence to be looked at: {name} ({licence})" for name, licence in every if not ALLOWED.search(licence)
    ]
    failures += untold(given.tag) if given.tag else []
    with tempfile.TemporaryDirectory() as name:
        failures += list(_of_archives(Path(name), given.keep))
    print(f"{len(lowest())} dependencies with bounds, {len(every)} packages with licences")
    print("\n".join(failures) if failures else "all holds")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
