"""`planguard plan fix`: show what can be fixed in plan files, and write it after confirmation."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...printable import visible
from ...report.answer.finding_text import count
from ..framework.output import agreed, say
from ..inputs.sources import STDIN

if TYPE_CHECKING:
    from ...plans.judging.fix import Fix
    from ..inputs.sources import Source
    from .plan_files import PlanFiles

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file that can be fixed."""

    path: Path
    before: bytes
    after: bytes
    fix: Fix


def fix_files(sources: tuple[Source, ...], plans: PlanFiles, *, yes: bool, apart: bool) -> None:
    """Print a diff of every plan file that can be fixed. Write all of them after confirmation.

    Args:
        sources: the files of the command.
        plans: how plans are judged.
        yes: write without asking. Otherwise a person at a terminal is asked, and without a terminal nothing is written.
        apart: True to print to standard error, because standard output is for a program.

    Raises:
        UsageError: the files include standard input, which can't be written to.
    """
    if any(source.path == STDIN for source in sources):
        raise UsageError("files are written, got standard input; name a file.")
    fixed = list(_fixed_files(sources, plans))
    for one in fixed:
        say(visible(one.fix.diff(one.path.as_posix())), err=apart)
    files = count(len(fixed), "file")
    if not fixed:
        say("nothing to fix\n", err=apart)
    elif yes or (os.isatty(0) and agreed(f"Write {files}?", err=apart)):
        notes = [note for one in fixed if (note := _write(one)) is not None]
        say("\n".join([*notes, f"fixed {count(len(fixed) - len(notes), 'file')}", ""]), err=apart)
    else:
        say(f"{files} can be fixed; nothing was written. Add --yes to write.\n", err=apart)


def _fixed_files(sources: tuple[Source, ...], plans: PlanFiles) -> Iterator[FixedFile]:
    from ...plans.judging.fix import fix_plan

    for source in sources:
        content = plans.plan_content(source)
        if content is None:
            continue
        mark = _MARK if content.startswith(_MARK) else b""

        judge = partial(plans.judged, source)
        fix = fix_plan(judge(content), judge, schema=plans.fixes_schema)
        for line in fix.proposed:
            say(f"{source.path}: proposed, not written: {line}; count the tasks yourself", err=True)
        if fix.changes and mark + fix.before.encode() == content:
            yield FixedFile(source.path, content, mark + fix.after.encode(), fix)


def _write(fixed: FixedFile) -> str | None:
    """Replace a file atomically. Return a note if it was not written."""
    path = fixed.path
    if path.is_symlink() or not path.is_file():
        return f"{path}: not written: it is not a regular file"
    try:
        if path.read_bytes() != fixed.before:
            return f"{path}: not written: it has changed meanwhile"
        _replace(path, fixed.after)
    except OSError as error:
        return f"{path}: not written: {error.strerror or type(error).__name__}"
    return None


def _replace(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, name)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise
