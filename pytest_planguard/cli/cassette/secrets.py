"""`planguard cassette secrets`: list what redaction would remove from existing cassettes. Nothing is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ...errors import CassetteError
from ...printable import one_line
from ...report.answer.finding_text import count
from ...report.media.escaping import without_log_commands
from ..inputs.progress import with_progress
from ..main import UNJUDGED

if TYPE_CHECKING:
    from ...replay.privacy.recorded_secrets import RecordedSecret
    from ...replay.privacy.redaction import Redaction

Found = list[tuple[Path, "tuple[RecordedSecret, ...] | str"]]
"""Each cassette with its secrets, or with the reason why it is unreadable."""


def check_secrets(paths: Sequence[Path], words: Sequence[str], output: Literal["text", "json"]) -> tuple[str, int]:
    """Return the report on the cassettes below some paths, and the exit code.

    Args:
        paths: cassettes, and folders with cassettes.
        words: the project's own names and patterns, as in `planguard_redact`.
        output: the form of the report.

    Raises:
        CassetteError: there is no cassette.
        UsageError: a pattern is not a valid regular expression.
    """
    from ...replay.files.reader import find_cassettes
    from ...replay.privacy.redaction import own_redaction

    redaction = own_redaction(words)
    files = list(find_cassettes(paths))
    if not files:
        raise CassetteError(f"{', '.join(map(str, paths))}: no cassette; name a cassette, or a folder that has some")
    every: Found = [(file, _of(file, paths, redaction)) for file in with_progress(files, "looking for secrets")]
    text = _as_json(every) if output == "json" else _as_text(every)
    bad = any(found and not isinstance(found, str) for _, found in every)
    return text, 1 if bad else UNJUDGED if any(isinstance(found, str) for _, found in every) else 0


def _of(file: Path, paths: Sequence[Path], redaction: Redaction) -> tuple[RecordedSecret, ...] | str:
    from ...replay.files.names import leads_out
    from ...replay.files.reader import read_cassette
    from ...replay.privacy.recorded_secrets import secrets_of

    folder = None if file in paths else next((path for path in paths if path in file.parents), None)
    if folder and file.is_symlink() and leads_out(file, folder):
        return f"{file}: is a link out of {folder}; name it to read it"
    try:
        return secrets_of(read_cassette(file), redaction)
    except CassetteError as error:
        return str(error)


def _as_text(every: Found) -> str:
    lines = []
    for file, found in every:
        if isinstance(found, str):
            lines.append(f"error: {one_line(found, 600)}")
        else:
            lines += [f"{one_line(str(file))}: {one_line(str(secret), 300)}" for secret in found]
    holding = [found for _, found in every if not isinstance(found, str) and found]
    secrets = count(sum(map(len, holding)), "secret")
    lines.append(
        f"{count(len(every), 'cassette')}: {secrets} in {len(holding)}"
        if holding
        else f"{count(len(every), 'cassette')}: no secret"
    )
    if holding:
        lines.append("A new recording would hold [redacted] in these places and leave out such headers.")
    return "\n".join(lines)


def _as_json(every: Found) -> str:
    files = [
        {"path": str(file), "error": found, "secrets": []}
        if isinstance(found, str)
        else {"path": str(file), "error": None, "secrets": [asdict(secret) for secret in found]}
        for file, found in every
    ]
    return without_log_commands(json.dumps({"files": files}, indent=2))
