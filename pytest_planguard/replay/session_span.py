"""How a session begins, by its mode and the file that is there, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .age import newest_answer
from .journal import count_exchanges, finished_exchanges, part_of
from .play import Mode
from .reader import RawInteraction, read_recording
from .session import CassetteSession


def kept_interactions(file: Path, mode: Mode) -> tuple[RawInteraction, ...]:
    """What the recording holds; () where there is none, or where it is made anew. Raises CassetteError."""
    return read_recording(file).interactions if mode != "all" and file.exists() else ()


def begin(session: CassetteSession, mode: Mode, max_age_s: float | None, now: Callable[[], float]) -> None:
    """Tell the age of the recording, and start what the mode asks for. Raises CassetteError.

    `max_age_s` is the oldest that still counts, in seconds; `now` is the clock, seconds since the epoch.
    """
    newest = newest_answer(session.responses) if max_age_s is not None else None
    session.age_s = None if newest is None else now() - newest
    session.expired = session.age_s is not None and max_age_s is not None and session.age_s > max_age_s
    absent = not session.size
    if mode == "verify":
        session.watch()
    elif mode == "all" or (mode != "none" and absent) or (mode == "stale" and session.expired):
        session.start_recording()
    elif absent and part_of(session.path).exists():
        count = count_exchanges(finished_exchanges(part_of(session.path)))
        session.notes.append(
            f"{part_of(session.path).name} holds {count} finished exchange{'' if count == 1 else 's'} of a recording "
            "that was interrupted; record the test again (they are kept beside the new recording)"
        )


@contextmanager
def finishing(session: CassetteSession) -> Iterator[None]:
    """End the session with the block: only one that ran through leaves a complete recording. Raises CassetteError."""
    try:
        yield
    except BaseException:
        session.finish(complete=False)
        raise
    session.finish(complete=True)
    if session.failure is not None:
        raise session.failure
