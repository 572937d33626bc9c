"""Find texts that look like a secret: keys in a vendor's form, and random texts after a short word."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from .secret_forms import BARE, by_first_letters

_PAIRS = (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri "
    "ro ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut "
    "ss so rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi "
    "ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov "
    "by rm ep tt oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi "
    "rc rr eg au ck ew mu br bi pt ak pu ui rg ib tl ny ki rk ys ob mm fu ph og ms ye ud mb ip ub oi rl gu dr cc "
    "tw ft wn nu af hu nn eo vo rv xp gn sm fl iz ok nl my gl aw ju oa eq sy sl ps jo lf je nk kn gs dy hy ze ks "
    "xt ik dd db"
)
_COMMON = frozenset(_PAIRS.split())
"""Pairs of letters that are common in words: 95 of 100 pairs of a text, 33 of 100 pairs of a random key."""
_IN_WORDS, _UNUSUAL, _MIXED, _HUMP = -1.0, 2.0, 0.8, 0.4
"""Scores of pairs (common letters, other letters, a letter beside a digit, "aB"), roughly logarithms of the odds."""
# A UUID or a digest is an id: "5f4dcc3b5aa765d61d8327deb882cf99", "550e8400-e29b-41d4-a716-446655440000".
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F-]+")


@lru_cache(maxsize=2048)
def surprise(text: str) -> float:
    """Return how much more likely a text is a random key than words, in nats; below 0 for words.

    "a8Kq0ZkR17pWm2Xc" has about 20, "regression-analysis-2024" less than -10. Only ASCII letters and digits count.
    """
    total = 0.0
    for a, b in pairwise(text):
        if a.isalpha() and b.isalpha():
            # A doubled letter is not a sign of a key: MP3 files are padded with "LAME3.100UUUUUUUUUUUUUUUUUUUU".
            total += _IN_WORDS if (a + b).lower() in _COMMON else _UNUSUAL if a != b else 0
            total += _HUMP if a.islower() and b.isupper() else 0
        elif a.isalnum() and b.isalnum() and a.isdigit() != b.isdigit():
            total += _MIXED
    return total


def is_hex(text: str) -> bool:
    """Return True if a text is a UUID, a digest or a number."""
    return _HEX.fullmatch(text) is not None


Place = tuple[int, int, str]
"""Start, end and kind of a text that looks like a secret."""

_RUN = re.compile(r"[A-Za-z0-9_.~+/=:%-]{12,}")
"""Minimum length of a text that may hold a key."""
# Where a word begins, and so a key may: the s of "key=sk-ab12", but not the a after its dash.
_WORD_START = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9]")
_TABLE = by_first_letters()
_BARE = re.compile("|".join(f"({pattern})" for pattern, _, _ in BARE), re.ASCII)
_BARE_KINDS = tuple(kind for _, kind, _ in BARE)
# "acme_live_a8Kq0ZkR17pWm2Xc9dTb": up to four short words, then a random part.
_PREFIXED = re.compile(r"(?:[A-Za-z][A-Za-z0-9]{0,14}[_.-]){1,4}([A-Za-z0-9]{20,200})(?![\w-])", re.ASCII)
# "sm_pat_V0M6ThNJ1Q0z6sTJ": a short random part, where the word before it says what it is.
_LABELLED = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9]{0,14}[_-]){1,3}(?:pat|tkn|token|pw|key|secret|live|test|sat)[_-]([A-Za-z0-9]{12,200})(?![\w-])",
    re.ASCII,
)
_IDS = frozenset({
    "call", "toolu", "srvtoolu", "msg", "message", "chatcmpl", "cmpl", "resp", "req", "request", "run", "step",
    "thread", "asst", "file", "fc", "rs", "gen", "batch", "ft", "ftjob", "cus", "sub", "pi", "ch", "evt", "event",
    "price", "prod", "in", "acct", "user", "usr", "org", "proj", "conv", "item", "ws", "img", "image", "vs", "part",
    "trace", "span", "id", "embd", "modr", "upload", "container", "cntr", "job", "task", "tool", "mcp", "mcpr", "mcpl",
    "ci", "reasoning", "build", "dpl", "commit", "object", "etag", "sha1", "sha256", "sha384", "sha512", "md5", "rev",
    "doc", "document", "chunk", "node", "case", "test", "ctx", "fp", "pk", "model", "version", "snapshot", "blob",
    "tooluse", "sess", "functions", "web", "fs", "ig", "w", "cursor", "page", "hash", "digest", "ref",
})  # fmt: skip
"""First words of ids, which look as random as keys but are not secret."""
RANDOM = 8.0
"""Minimum score, in nats, of a text that is not made of words: three thousand to one."""
_ODD = 5.0
"""The same minimum if a word next to the text suggests a key: a hundred and fifty to one."""
_MEDIA_RUN = 256
"""A match inside a run of at least this many base64 characters is media, not a key."""
# Characters of base64, as in "iVBORw0KGgo=".
_MEDIA = re.compile(r"[A-Za-z0-9+/=]+")
# "-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN PGP PRIVATE KEY BLOCK-----"; public keys are not secret.
_PEM = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
# "-----END RSA PRIVATE KEY-----": the last line of the block.
_PEM_END = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
# A PuTTY key: the lines below "Private-Lines: 14" are its private part.
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d: .{1,40}")
# "redis://:pw@host", "postgres://me:pw@host": a password, with or without a user.
_USER_INFO = re.compile(r"://([^\s/:@\"'\\<>]{0,100}):((?!\[redacted\])[^\s/@\"'\\<>]{3,200})(?=@)")
# "hooks.slack.com/services/T0…/B0…/x7…", "/api/webhooks/123…": the path alone lets anyone post.
_HOOK = re.compile(r"(?:hooks\.slack\.com/(?:services|workflows|triggers)/|/api/webhooks/)([\w/-]{20,200})", re.ASCII)
# Placeholders for secrets: "sk-your-key-here", "AKIAIOSFODNN7EXAMPLE", "changeme123", "dummy", "...".
_STAND_IN = re.compile(
    r"(?i)your[-_ ]?|example|change[-_ ]?me|dummy|placeholder|redacted|\.\.\.|…|(?<![a-z])x{4}|\*{3}|<[a-z]|"
    r"\$\{?[A-Z_]|\{\{?[a-z]|insert[-_ ]|"
    r"\A(?:user)?pass(?:word)?1?\Z|\A(?:user|admin|root|test|guest|postgres|secret|foobar|foo|bar)\Z"
)
# A run that may be base64: "c2stbGl2ZS1hYmNkZWZnaA==". A key may be hidden in it.
_ENCODED = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_LONGEST_ENCODED = 200_000
"""Maximum length of base64 to decode. Longer runs are media."""


def stands_in(text: str) -> bool:
    """Return True if a text is a placeholder for a secret: "your-key-here", "changeme123", "${KEY}"."""
    return _STAND_IN.search(text) is not None


def keys_in(text: str, *, prefixed: bool = True) -> Iterator[Place]:
    """Yield private keys and keys of known shapes, except matches inside media.

    With `prefixed`, also yield random texts after a short word that does not mark an id:
    "acme_live_a8Kq0ZkR17pWm2Xc9dTb".
    """
    if len(text) < 12:
        return
    yield from _blocks(text)
    yield from _addresses(text)
    for run in _RUN.finditer(text):
        end = run.start()
        for start in _starts(text, run):
            # A word inside a key begins no second one: "xoxe.xoxp-1-…" is one token of Slack.
            if start >= end and (found := _key_at(text, start, prefixed=prefixed)):
                end = found[1]
                yield found


def _starts(text: str, run: re.Match[str]) -> Iterator[int]:
    r"""Yield the offsets at which a key may begin: words, and text after an escape such as \n in nested JSON."""
    first = run.start()
    if text[first - 1 : first] == "\\" and text[first] in "nrtbf":
        yield first + 1
    for word in _WORD_START.finditer(text, first, run.end()):
        yield word.start()


def _key_at(text: str, start: int, *, prefixed: bool) -> Place | None:
    for pattern, kind in _TABLE.get(text[start : start + 2], ()):
        found = pattern.match(text, start)
        if found and not stands_in(found[0]) and not _in_media(text, start, found.end()):
            return start, found.end(), kind
    if (found := _BARE.match(text, start)) and not _in_media(text, start, found.end()):
        return start, found.end(), _BARE_KINDS[(found.lastindex or 1) - 1]
    for pattern, least in ((_PREFIXED, RANDOM), (_LABELLED, _ODD)) if prefixed else ():
        found = pattern.match(text, start)
        if found and surprise(found[1]) > least and not is_hex(found[1]) and re.search(r"\d", found[1]):
            first = re.split(r"[_.-]", found[0].lower(), maxsplit=1)[0]
            if first not in _IDS and not _in_media(text, start, found.end()):
                return start, found.end(), "key"
    return None


def _addresses(text: str) -> Iterator[Place]:
    if "://" not in text and "/api/webhooks/" not in text:
        return
    for match in _USER_INFO.finditer(text) if "@" in text else ():
        user, password = match[1].lower(), match[2]
        # "guest:guest@" and the like are defaults that every manual shows.
        if password.lower() != user and not stands_in(password):
            yield match.start(2) if not user else match.start(1), match.end(2), "password in a URL"
    for match in _HOOK.finditer(text):
        yield match.start(1), match.end(1), "webhook URL"


def keys_in_base64(text: str) -> Iterator[Place]:
    """Yield the base64 of keys, and of users with their passwords."""
    for start, end, said in encoded(text):
        if any(True for _ in keys_in(said, prefixed=False)):
            yield start, end, "a key in base64"


def encoded(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and decoded text of each piece of base64, standard or for URLs, that decodes to text."""
    for match in _ENCODED.finditer(text) if len(text) >= 16 else ():
        start = match.start() + (text[match.start() - 1 : match.start()] == "\\")  # "\nQUJD" in JSON within JSON
        # The first 18 bytes tell a text from an image, which would be decoded in vain.
        if match.end() - start <= _LONGEST_ENCODED and _decoded(text[start : start + 24]):
            said = _decoded(text[start : match.end()])
            if said:
                yield start, match.end(), said


def _decoded(base64: str) -> str:
    """Return the text that base64 encodes, without an incomplete last group; "" if it is not text."""
    whole = base64.rstrip("=").replace("-", "+").replace("_", "/")
    rest = len(whole) % 4
    padded = whole + "=" * (4 - rest) if rest > 1 else whole[: len(whole) - rest]
    try:
        said = b64decode(padded).decode("ascii")
    except ValueError:
        return ""
    return said if said.replace("\n", "").replace("\r", "").replace("\t", "").isprintable() else ""


def _blocks(text: str) -> Iterator[Place]:
    """Yield private keys; one without an end line extends to the end of the text."""
    at = 0
    while begin := _PEM.search(text, at) if "PRIVATE KEY" in text else None:
        end = _PEM_END.search(text, begin.end())
        at = end.end() if end else len(text)
        yield begin.start(), at, "private key"
    at = 0
    while putty := _PUTTY.search(text, at) if "PuTTY-" in text else None:
        lines = text.find("Private-Lines:", putty.end())
        if lines < 0:
            return
        mac = text.find("Private-MAC:", lines)
        at = len(text) if mac < 0 else mac
        yield lines, at, "private key"


def _in_media(text: str, start: int, end: int) -> bool:
    reach = _MEDIA.match(text, start, start + _MEDIA_RUN)
    ahead = len(reach[0]) if reach else 0
    if ahead < end - start:
        return False
    behind = start
    while behind > 0 and start - behind < _MEDIA_RUN and _MEDIA.match(text[behind - 1]):
        behind -= 1
    return start - behind + ahead >= _MEDIA_RUN
