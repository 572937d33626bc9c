"""Find base64 of keys in running text, and of users with their passwords."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator

from .anchors import Place

# A line or a word begins here; inside JSON within JSON that may be behind an escape such as \n.
_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf]))"
_PREFIXES = ("sk-", "AIza", "ya29.", "gsk_", "hf_", "xai-", "nvapi-", "xoxb", "ghp_", "github_", "glpat-")
_ENCODED_MARKS = (
    *(b64encode(prefix.encode())[: len(prefix) * 4 // 3].decode() for prefix in _PREFIXES),
    *("QUtJQ", "LS0tLS1CRUdJTi"),
)
"""How keys begin in base64: "c2st" is "sk-"; "QUtJQ" is "AKIA", the last a private key's first line."""
_ENCODED = re.compile(
    _START + rf"(?<![+/=])((?:{'|'.join(map(re.escape, _ENCODED_MARKS))})[A-Za-z0-9+/_-]{{16,4000}})(?![A-Za-z0-9+/_-])"
)
# "Basic dXNlcjpwYXNzd29yZA==": user and password, as a header has them.
_BASIC = re.compile(r"(?<![A-Za-z])[Bb]asic ([A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])")


def encoded_keys(text: str, is_key: Callable[[str], bool]) -> Iterator[Place]:
    """Yield base64 of a key, of which `is_key` tells once it is decoded, and of a user with a password."""
    if any(mark in text for mark in _ENCODED_MARKS):
        for match in _ENCODED.finditer(text):
            if is_key(_decoded(match[1])):
                yield match.start(1), match.end(1), "a key in base64"
    if "asic " in text:
        for match in _BASIC.finditer(text):
            user, colon, password = _decoded(match[1]).partition(":")
            if user and colon and password and password.isprintable():
                yield match.start(1), match.end(1), "user and password in base64"


def _decoded(encoded: str) -> str:
    """Return what base64 says, standard or for URLs, as far as it is whole; "" where it is no ASCII text."""
    whole = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return b64decode(whole[: len(whole) // 4 * 4] + _tail(whole)).decode("ascii")
    except ValueError:
        return ""


def _tail(whole: str) -> str:
    rest = whole[len(whole) // 4 * 4 :]
    return rest + "=" * (4 - len(rest)) if len(rest) > 1 else ""
