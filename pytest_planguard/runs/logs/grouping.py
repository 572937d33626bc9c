"""The group of each logged call, and its form on a line until the group is judged."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...wire.logs.logged import Event, Fidelity, Logged, compact_json, quick_json
from ...wire.logs.pairs import at_path
from ...wire.logs.readers import reader_of, refusal
from ...wire.untrusted_json import mapping, objects, words
from .records import Broken
from .summary import LogSummary

if TYPE_CHECKING:
    from ...wire.logs.logged import LogReader

HOUR = 3600 * 10**9
"""Maximum number of nanoseconds between calls without a common trace that belong together if their tasks begin
alike."""
LONGEST_KEY = 500
"""Maximum number of characters of a group's name."""
NO_FORMAT = "no known format: name where it has request and answer with --map request=PATH --map response=PATH"


@dataclass(frozen=True, slots=True)
class Grouping:
    """How calls are grouped, and which groups are judged."""

    by: str = "trace"
    """"trace", "session", or a dotted name in the record, optionally with a pattern whose first group counts:
    "custom_id:(task-[0-9]+)".
    """
    share: float = 1.0
    """The fraction of groups to judge, between 0 and 1. The same seed selects the same groups."""
    seed: int = 0
    since: int = 0
    """Nanoseconds since 1970. Earlier calls are skipped."""

    def key(self, logged: Logged) -> str:
        """Return the name of the call's group."""
        if self.by == "trace" and logged.alone and _is_whole(logged):
            return f"{logged.session or logged.at // HOUR}-{_opening(logged)}"[:LONGEST_KEY]
        if self.by == "trace":
            named = logged.trace or logged.session
        elif self.by == "session":
            named = logged.session or logged.trace
        else:
            named = self._named(logged.fields) or logged.trace
        return (named or _opening(logged))[:LONGEST_KEY]

    def _named(self, found: Mapping[str, object]) -> str:
        path, _, pattern = self.by.partition(":")
        value = at_path(found, path)
        text = "" if value is None else value if isinstance(value, str) else json.dumps(value)
        if not pattern:
            return text
        matched = re.search(pattern, text[:LONGEST_KEY])
        return (matched[1] if matched.groups() else matched[0]) if matched else ""

    def takes(self, key: str) -> bool:
        """Return True if the group is in the sample."""
        if self.share >= 1:
            return True
        digest = hashlib.sha256(f"{self.seed}:{key}".encode(errors="surrogatepass")).digest()
        # Six bytes of the digest are a number below 2**48, evenly spread: 5 % of the groups are below 5 % of it.
        return int.from_bytes(digest[:6], "big") < self.share * 2**48


def _is_whole(logged: Logged) -> bool:
    """Return True if no other record is needed to complete the call. Parts of one call are tied by its trace."""
    return logged.request is not None and logged.response is not None


def checked_key(by: str) -> str:
    """Return the key to group calls by. Raises UsageError for an invalid pattern."""
    try:
        re.compile(by.partition(":")[2])
    except re.error as error:
        raise UsageError(f"--group-by {by!r}: the pattern is none: {error}") from None
    return {"trace_id": "trace", "session_id": "session"}.get(by, by)


def _opening(logged: Logged) -> str:
    """Return a digest of the beginning of the task, which all retries of a task share."""
    body = mapping(logged.request)
    said = [body.get("system"), body.get("instructions"), body.get("systemInstruction")]
    listed = next((objects(body[key]) for key in ("messages", "contents", "input") if objects(body.get(key))), [])
    first: list[object] = []
    for message in listed:
        if words(message.get("role")) in ("assistant", "model", "tool"):
            break
        first.append(message.get("content", message.get("parts")))
        if words(message.get("role")) == "user":
            break
    text = json.dumps([said, first, body.get("prompt")], sort_keys=True, default=str)
    return f"task-{hashlib.sha256(text.encode()).hexdigest()[:16]}" if listed or any(said) else f"call-{logged.call}"


def parts_of(
    records: Iterable[tuple[int, object]],
    path: str,
    grouping: Grouping,
    into: LogSummary,
    mapped: LogReader | None = None,
) -> Iterator[tuple[str, Logged]]:
    """Yield the calls of records with the name of their group. Unreadable records are counted.

    Arguments:
        records: with their numbers, as `read_records` yields them.
        path: the name of their file.
        grouping: the key that ties them.
        into: the summary that counts the records.
        mapped: reads records by the user's map.
    """
    for number, record in records:
        if isinstance(record, Broken):
            into.unread[str(record)] += 1
            continue
        into.records += 1
        reader = mapped if mapped is not None and mapped.sniff(record) else reader_of(record)
        if reader is None:
            into.unread[refusal(record) or NO_FORMAT] += 1
            continue
        into.formats[reader.name] += 1
        try:
            found = list(reader.read(record))
        except (Exception, RecursionError) as error:  # one bad record must not stop the others
            into.unread[f"reading it as {reader.name} failed: {type(error).__name__}"] += 1
            continue
        for logged in found:
            if logged.at and logged.at < grouping.since:
                into.older += 1
                continue
            into.undated += bool(grouping.since and not logged.at)
            key = grouping.key(logged)
            if grouping.takes(key):
                logged.place = f"{path}:{number}"
                yield key, logged


_KEPT = tuple(one.name for one in fields(Logged) if one.name not in ("fields", "events", "fidelity"))


def packed(key: str, logged: Logged) -> bytes:
    """Return a call as one line: its group, a tab, and its fields."""
    events = [[event.name, event.body, event.at] for event in logged.events]
    kept = [getattr(logged, name) for name in _KEPT]
    return b"%s\t%s\n" % (compact_json(key), compact_json([logged.fidelity.value, events, *kept]))


def unpacked(line: bytes) -> Logged:
    """Return the call from the part of such a line after the tab."""
    fidelity, events, *kept = quick_json(line)
    logged = Logged(**dict(zip(_KEPT, kept, strict=True)))
    logged.fidelity, logged.events = Fidelity(fidelity), [Event(*event) for event in events]
    return logged


def slot(key: bytes, slots: int, salt: int = 0) -> int:
    """Return the partition of a group, the same in every process."""
    return zlib.crc32(key, salt) % slots
