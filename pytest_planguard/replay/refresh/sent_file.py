"""What a stale replay sent, kept beside the rows of its run: `planguard show --rekey` may take it over."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from ...errors import CassetteError
from ...wire.exchange import Message
from ..files.interaction import Interaction, collect
from ..privacy.redact import redact
from ..privacy.redaction import Redaction
from .rekey import SentRequest

FOLDER = Path(".planguard", "sent")
"""Below the root folder of the tests."""
_LIKE = "latin-1"


def keep_sent(root: Path, cassette: Path, sent: Sequence[SentRequest], redaction: Redaction) -> list[SentRequest]:
    """Write what was sent, without its secrets, and give it back so. Raises OSError."""
    cleaned = [SentRequest(one.position, _clean(one.request, redaction)) for one in sent]
    requests = [
        {
            "position": one.position,
            "method": one.request.method,
            "url": one.request.url,
            "headers": dict(one.request.headers),
            "body": one.request.body.decode(_LIKE),
        }
        for one in cleaned
    ]
    file = _file(root, cassette)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"cassette": _digest(cassette), "requests": requests}), encoding="utf-8")
    return cleaned


def read_sent(cassette: Path) -> list[SentRequest]:
    """Return what the last replay of a cassette sent.

    Raises CassetteError where none is kept, or the cassette changed.
    """
    here = Path.cwd()
    for root in (*cassette.resolve().parents, here, *here.parents):
        file = _file(root, cassette)
        if file.is_file():
            return _read(file, cassette)
    raise CassetteError(
        f"{cassette}: no replayed requests found; run its test in replay mode, then run this command again"
    )


def _read(file: Path, cassette: Path) -> list[SentRequest]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if data["cassette"] != _digest(cassette):
            raise CassetteError(
                f"{cassette}: the cassette has changed since the replay; run its test, then this command again"
            )
        return [
            SentRequest(int(r["position"]), Message(r["headers"], r["body"].encode(_LIKE), r["method"], r["url"]))
            for r in data["requests"]
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CassetteError(f"{file}: the file cannot be read: got {error}; run the test again") from None


def _clean(request: Message, redaction: Redaction) -> Message:
    whole = Interaction(request.method, request.url, collect(request.headers.items()), request.body, 200, "", (), b"")
    return redact(whole, redaction).interaction.request


def _file(root: Path, cassette: Path) -> Path:
    """Named by the cassette's place below the root, so that a moved checkout finds it; by its whole path elsewhere."""
    whole = cassette.resolve()
    place = whole.relative_to(root.resolve()) if whole.is_relative_to(root.resolve()) else whole
    name = hashlib.sha256(place.as_posix().encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return root / FOLDER / f"{name}.json"


def _digest(cassette: Path) -> str:
    return hashlib.sha256(cassette.read_bytes()).hexdigest()
