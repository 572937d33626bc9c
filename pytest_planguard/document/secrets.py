"""Find what looks like a key, by its shape. Every pattern is bounded and cannot backtrack: a scan takes linear time."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator

Place = tuple[int, int, str]
"""Start, end and kind of what looks like a secret."""


def places(text: str, word: str, offset: int = 0) -> Iterator[int]:
    """Yield `offset` characters after every place at which a word begins, overlapping ones too."""
    at = text.find(word)
    while at >= 0:
        yield at + offset
        at = text.find(word, at + 1)


def matches_at(pattern: re.Pattern[str], text: str, starts: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield what `pattern.finditer` would, given all places at which a match can begin. Further places do no harm."""
    end = 0
    for start in sorted(set(starts)):
        match = pattern.match(text, start) if start >= end else None
        if match is not None:
            yield match
            end = match.end()


# Base64 of keys in running text, and of users with their passwords.

# A line or a word begins here; inside JSON within JSON that may be behind an escape such as \n.
_ENCODED_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf]))"
_PREFIXES = ("sk-", "AIza", "ya29.", "gsk_", "hf_", "xai-", "nvapi-", "xoxb", "ghp_", "github_", "glpat-")
_ENCODED_MARKS = (
    *(b64encode(prefix.encode())[: len(prefix) * 4 // 3].decode() for prefix in _PREFIXES),
    *("QUtJQ", "LS0tLS1CRUdJTi"),
)
"""How keys begin in base64: "c2st" is "sk-"; "QUtJQ" is "AKIA", the last a private key's first line."""
# "c2stYW50LWFwaTAzLUFB…", as a word of its own.
_ENCODED = re.compile(
    _ENCODED_START
    + rf"(?<![+/=])((?:{'|'.join(map(re.escape, _ENCODED_MARKS))})[A-Za-z0-9+/_-]{{16,4000}})(?![A-Za-z0-9+/_-])"
)
# "Basic dXNlcjpwYXNzd29yZA==": user and password, as a header has them.
_BASIC = re.compile(r"(?<![A-Za-z])[Bb]asic ([A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])")


def keys_in_base64(text: str) -> Iterator[Place]:
    """Yield the base64 of keys, and of users with their passwords."""
    if any(mark in text for mark in _ENCODED_MARKS):
        for match in _ENCODED.finditer(text):
            if any(True for _ in keys_in(_decoded(match[1]))):
                yield match.start(1), match.end(1), "a key in base64"
    if "asic " in text:
        for match in _BASIC.finditer(text):
            user, colon, password = _decoded(match[1]).partition(":")
            if user and colon and password and password.isprintable():
                yield match.start(1), match.end(1), "user and password in base64"


def _decoded(encoded: str) -> str:
    """Return what base64 says, standard or for URLs, as far as it is whole; "" where it is no ASCII text."""
    whole = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    rest = len(whole) % 4
    padded = whole + "=" * (4 - rest) if rest > 1 else whole[: len(whole) - rest]
    try:
        return b64decode(padded).decode("ascii")
    except ValueError:
        return ""


# Keys of known shapes.

_START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))"
"""A key starts a word; inside JSON within JSON it may also follow an escape such as \\n."""

# The prefixes that providers document for their keys. Where a prefix is also the beginning of ordinary words
# ("sk-learn-pipeline", "hf_model_name_of_ours"), a digit is demanded within the first characters: keys are random,
# names seldom have one. The length limits keep a scan linear.
_SHAPES = {
    "API key (sk-…)": r"sk-(?:(?:ant|proj|or|svcacct|admin|live|test)-[\w-]{8,400}"
    r"|(?=[A-Za-z_-]{0,40}\d)[\w-]{16,400})",
    "Google API key": r"AIza[\w-]{30,60}",
    "Google access token": r"ya29\.[\w-]{20,1000}",
    "provider key": r"(?:gsk_|hf_|r8_|npm_|xai-|pplx-|fw_|csk-|tgp_v1_)(?=[A-Za-z_]{0,60}\d)[A-Za-z0-9_]{20,200}",
    "NVIDIA key": r"nvapi-[\w-]{20,200}",
    "Slack token": r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,200}",
    "Shopify token": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
    "Linear key": r"lin_(?:api|oauth)_[A-Za-z0-9]{30,80}",
    "1Password token": r"ops_eyJ[A-Za-z0-9+/=_-]{50,4000}",
    "Figma token": r"figd_[\w-]{30,80}",
    "Notion token": r"ntn_[A-Za-z0-9]{40,60}",
    "Docker token": r"dckr_[op]at_[\w-]{20,80}",
    "Vault token": r"hv[sbr]\.[\w-]{24,400}",
    "Databricks token": r"dapi[0-9a-f]{32}",
    "Grafana token": r"(?:glsa_[A-Za-z0-9_]{30,80}|glc_[A-Za-z0-9+/=]{30,400})",
    "Square token": r"sq0[a-z]{3}-[\w-]{20,80}",
    "Artifactory key": r"AKC[A-Za-z0-9]{50,100}",
    "GitHub token": r"(?:gh[oprsu]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255})",
    "GitLab token": r"(?:gl(?:pat|dt|ft|soat|rt|imt|ptt|cbt|agent|oas)-[\w-]{20,200}|GR1348941[\w-]{20,60})",
    "AWS access key id": r"(?:A[KSB]IA|ACCA|A3T[A-Z0-9])[0-9A-Z]{16}(?![0-9A-Za-z])",
    "Stripe key": r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,200}",
    "SendGrid key": r"SG\.[\w-]{16,64}\.[\w-]{16,64}",
    "PyPI token": r"pypi-[\w-]{50,400}",
    "JSON Web Token": r"eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}",
    "bearer token": r"[Bb][Ee][Aa][Rr][Ee][Rr]\s{1,3}(?=[A-Za-z._~+/=-]{0,80}\d)[A-Za-z0-9._~+/=-]{16,8000}",
    "webhook URL": r"(?:(?<=hooks\.slack\.com/services/)|(?<=/api/webhooks/))(?!\[redacted\])[\w/-]{20,200}",
    "bot token": r"bot\d{6,12}:[\w-]{30,60}",
    "Azure key": r"[A-Za-z0-9]{40,60}(?:AAAAAC|JQQJ99)[A-Za-z0-9]{10,40}",
    "password in a URL": r"(?<=://)[^\s/:@\"'\\]{1,100}:(?!\[redacted\])[^\s/@\"'\\]{3,200}(?=@)",
}
# Where a key may begin, as a word that it has in it and the distance from that word: every shape has one of these, or
# "bearer" in any case. "sk-" is also in "csk-", "gh" in "ghp_", "gl" in "glpat-".
_MARKS = (
    *((mark, 0) for mark in ("sk-", "AIza", "ya29.", "gsk_", "hf_", "r8_", "npm_", "xai-", "pplx-", "fw_", "tgp_v1_")),
    *((mark, 0) for mark in ("nvapi-", "xox", "xapp-", "gh", "github_pat_", "AKIA", "ASIA", "ABIA", "ACCA", "A3T")),
    *((mark, 0) for mark in ("SG.", "gl", "GR1348941", "shp", "lin_", "ops_eyJ", "figd_", "ntn_", "dckr_", "hv")),
    *((mark, 0) for mark in ("dapi", "sq0", "AKC", "pypi-", "eyJ", "bot")),
    *(("sk-", -1), ("k_live_", -1), ("k_test_", -1), ("://", 3)),
    *(("hooks.slack.com/services/", len("hooks.slack.com/services/")), ("/api/webhooks/", len("/api/webhooks/"))),
)
_AZURE_MARKS = ("AAAAAC", "JQQJ99")
"""They stand 40 to 60 characters after the beginning of their key."""
# "Bearer", "BEARER": the only shape without a mark in one case.
_BEARER = re.compile("bearer", re.IGNORECASE | re.ASCII)
# Every shape, a group each: the number of the group that matched names the shape.
_ANY = re.compile(_START + "(?:" + "|".join(f"({shape})" for shape in _SHAPES.values()) + ")", re.ASCII)
_NAMES = tuple(_SHAPES)
# Shapes without a word of their own, which are looked for in every text: Telegram's "110201543:" with 35 characters,
# a Discord bot's "MTk4NjIy….Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs", "0123…cdef-us14", and "SK" with 32 hex digits.
_UNMARKED = re.compile(
    r"(?<![\w.-])(?:(\d{8,10}:[\w-]{35}(?![\w-]))|([MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,40}(?![\w-]))"
    r"|([0-9a-f]{32}-us\d{1,2}(?!\w))|(SK[0-9a-f]{32}(?!\w)))",
    re.ASCII,
)
# The middle of a Discord bot's token, ".Cl2FMQ.", which begins 24 to 26 characters before it.
_MIDDLE = re.compile(r"\.(?=[\w-]{6}\.)", re.ASCII)
_UNMARKED_NAMES = ("bot token", "bot token", "Mailchimp key", "Twilio key")
# "-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN PGP PRIVATE KEY BLOCK-----"; public keys are no secrets.
_PEM = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
# A PuTTY key: the lines below "Private-Lines: 14" are its private part.
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d: .{1,40}")
# The line that ends what `_PEM` begins.
_PEM_END = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_MEDIA_RUN = 256
"""A match inside a run of at least this many base64 characters is media, not a key; no key is that long without a
separator, except those that have their own separators in the pattern."""
# A run of base64: pictures and sound have no end within `_MEDIA_RUN` characters.
_MEDIA = re.compile(r"[A-Za-z0-9+/=]+")


def keys_in(text: str) -> Iterator[Place]:
    """Yield the private keys and the keys of known shapes in a text; one that happens to be within media is none."""
    yield from _blocks(text)
    for match in matches_at(_UNMARKED, text, _unmarked_starts(text)):
        yield match.start(), match.end(), _UNMARKED_NAMES[(match.lastindex or 1) - 1]
    for match in matches_at(_ANY, text, _marked_starts(text)):
        if not _in_media(text, match.start(), match.end()):
            yield match.start(), match.end(), _NAMES[(match.lastindex or 1) - 1]


def _marked_starts(text: str) -> Iterator[int]:
    """Yield every place at which `_ANY` may match."""
    for mark, offset in _MARKS:
        yield from places(text, mark, offset)
    for match in _BEARER.finditer(text):
        yield match.start()
    for mark in _AZURE_MARKS:
        for place in places(text, mark):
            yield from range(max(0, place - 60), place - 39)


def _unmarked_starts(text: str) -> Iterator[int]:
    """Yield every place at which `_UNMARKED` may match."""
    for colon in places(text, ":"):
        if text[colon - 1 : colon].isdigit():
            yield from range(max(0, colon - 10), colon - 7)
    for match in _MIDDLE.finditer(text):
        yield from range(max(0, match.start() - 26), match.start() - 23)
    yield from places(text, "-us", -32)
    yield from places(text, "SK")


def _blocks(text: str) -> Iterator[Place]:
    """Private keys; one that has no end line counts up to the end of the text."""
    at = 0
    while begin := _PEM.search(text, at):
        end = _PEM_END.search(text, begin.end())
        at = end.end() if end else len(text)
        yield begin.start(), at, "private key"
    putty = _PUTTY.search(text) if "PuTTY-" in text else None
    lines = text.find("Private-Lines:", putty.end()) if putty else -1
    if lines != -1:
        mac = text.find("Private-MAC:", lines)
        yield lines, len(text) if mac < 0 else mac, "private key"


def _in_media(text: str, start: int, end: int) -> bool:
    reach = _MEDIA.match(text, start, start + _MEDIA_RUN)
    ahead = len(reach[0]) if reach else 0
    if ahead < end - start:
        return False
    behind = start
    while behind > 0 and start - behind < _MEDIA_RUN and _MEDIA.match(text[behind - 1]):
        behind -= 1
    return start - behind + ahead >= _MEDIA_RUN
