"""A cassette as text: plain vcrpy YAML for reviews. Equal interactions give equal bytes.

An interaction is one block of lines, so a file grows by appending and a finished journal *is* the cassette.

Text is written plain or as a literal block only if any YAML 1.1 reader returns it unchanged; all other text is quoted.
"""

from __future__ import annotations

import base64
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from ...document.limits import CLOSED_STRING
from ...wire.untrusted_json import parse_json
from .interaction import FIRST_LINE, Headers, Interaction, RunningMark

HEADER = f"{FIRST_LINE}version: 1\ninteractions:\n"
"""The first lines of a cassette with at least one interaction."""

# The possessive `++` never backtracks: a greedy repeat stores a position for each character of a string.
_TOKEN = re.compile(CLOSED_STRING + r'|[\[\]{},:]|[^\s\[\]{},:"]++', re.DOTALL)
# An escape of a JSON string: "\u00e9", "\n".
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
# Characters that YAML or an editor may take for a line end or drop: DEL, U+2028, a lone surrogate, a byte order mark.
_AWKWARD = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# Two escapes that make one character: "\ud83d\ude00" is an emoji.
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def render(interactions: Iterable[Interaction]) -> str:
    """Return the whole text of a cassette."""
    running = RunningText()
    blocks = "".join(render_interaction(i, running) for i in interactions)
    start = HEADER + blocks if blocks else f"{FIRST_LINE}version: 1\ninteractions: []\n"
    return f"{start}{running.mark()}\n"


class RunningText(RunningMark):
    """The state that the next interaction of a cassette depends on: the mark and the long texts so far."""

    def __init__(self) -> None:
        super().__init__()
        self.repeated = RepeatedTexts()


def render_interaction(interaction: Interaction, running: RunningText | None = None) -> str:
    """Return the lines of one interaction, and count it in a cassette.

    The status message comes last, so a block is complete once that line has its line break.
    """
    laid_out = replace(
        interaction,
        request_body=pretty(interaction.request_body),
        response_body=pretty(interaction.response_body),
    )
    running = running or RunningText()
    # The digest covers the bodies as they are in the file, since a reader has no others.
    running.add(laid_out)
    return _block_of(laid_out, running.repeated)


def _block_of(interaction: Interaction, repeated: RepeatedTexts) -> str:
    request, response = _text_of(interaction.request_body), _text_of(interaction.response_body)
    # The request first: it can only repeat the answers before its own.
    pieces = repeated.split(request) if isinstance(request, str) else [request]
    anchor = repeated.add(response if isinstance(response, str) else "")
    lines = [
        "- request:",
        f"    body: {_body(request, 6)}" if len(pieces) < 2 else "    body:",
        *(f"    - {piece if isinstance(piece, Reference) else _body(piece, 6)}" for piece in pieces if len(pieces) > 1),
        *_headers(interaction.request_headers),
        f"    method: {scalar(interaction.method)}",
        f"    uri: {scalar(interaction.url)}",
        "  response:",
        "    body:",
        f"      string: {anchor}{_body(response, 8)}",
        *_headers(interaction.response_headers),
        "    status:",
        f"      code: {interaction.status}",
        f"      message: {scalar(interaction.reason)}",
    ]
    return "\n".join(lines) + "\n"


def pretty(body: bytes) -> bytes:
    """Spread a JSON body over lines, with its numbers, key order and duplicate keys. Other bodies stay as they are."""
    try:
        text = body.decode()
        if text.lstrip()[:1] in ("{", "["):
            parse_json(text)
            return spread(text).encode()
    except ValueError:
        return body
    return _stream(text).encode() if text.startswith(("data:", "event:", ":")) else body


def _stream(text: str) -> str:
    r"""Return the events of a stream with awkward characters escaped, but only in JSON, which undoes the escapes.

    `data: {"text": "a\x7f"}` becomes `data: {"text": "a\u007f"}`; `data: [DONE]\x7f` stays, and is quoted in the file.
    """
    if _AWKWARD.search(text) is None:
        return text
    return "\n".join(
        _awkward_escaped(line) if _AWKWARD.search(line) and _is_json(line) else line for line in text.split("\n")
    )


def _is_json(line: str) -> bool:
    """Return True if a line of a stream is the data of an event, and JSON by itself."""
    try:
        parse_json(line.removeprefix("data:"))
    except ValueError:
        return False
    return line.startswith("data:")


def spread(text: str) -> str:
    """Return valid JSON text with one member or item a line, two spaces a level, and a final line break."""
    pieces = _laid_out(text)
    # A thousand at a time, so that the small texts of a long list are not all in memory at once.
    return "".join(iter(lambda: "".join(islice(pieces, 1_000)), "")) + "\n"


def _laid_out(text: str) -> Iterator[str]:
    depth, previous = 0, ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "]}":
            depth -= 1
            yield token if previous in "[{" else f"\n{'  ' * depth}{token}"
        elif token == ":":
            yield ": "
        elif token == ",":
            yield ","
        else:
            if previous in ("[", "{", ","):
                yield f"\n{'  ' * depth}"
            yield _readable(token) if token[0] == '"' else token
            depth += token in "[{"
        previous = token


def _readable(token: str) -> str:
    """Return a JSON string without escapes, except for those that JSON or a YAML block needs."""
    if "\\u" in token or "\\/" in token:
        token = _PAIR.sub(
            lambda m: m[0].encode("utf-16", "surrogatepass").decode("utf-16"), _ESCAPED.sub(_unescaped, token)
        )
    return _awkward_escaped(token)


def _unescaped(match: re.Match[str]) -> str:
    if match[1] is None:
        return "/" if match[2] == "/" else match[0]
    char = chr(int(match[1], 16))
    return match[0] if char < " " or char in '"\\' else char


def _awkward_escaped(text: str) -> str:
    return _AWKWARD.sub(lambda m: f"\\u{ord(m[0]):04x}", text)


def _text_of(body: bytes) -> str | bytes:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body


def _body(body: str | bytes, indent: int) -> str:
    return block(body, indent) if isinstance(body, str) else f"!!binary {scalar(base64.b64encode(body).decode())}"


def _headers(headers: Headers) -> list[str]:
    if not headers:
        return ["    headers: {}"]
    lines = ["    headers:"]
    for name, values in sorted(headers, key=lambda header: header[0].lower()):
        lines.append(f"      {scalar(name)}:")
        lines += [f"      - {scalar(value)}" for value in values]
    return lines


# YAML scalars written by hand: the same text gives the same bytes with any YAML library.

# Safe without quotes: "application/json; charset=utf-8". Not "12", "a: b" or "#1", which YAML reads as something else.
_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./;=+,-]*(?: [A-Za-z0-9_./;=+-]+)*", re.ASCII)
# YAML 1.1 reads these as truth values or null: a header `x-cache: no` would become false.
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
# YAML forbids these even in a block, or folds them into line ends: U+0007, U+2028.
_UNSAFE_IN_BLOCK = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
# The same between quotes, where a quote, a backslash and a line end need an escape as well.
_UNSAFE_IN_QUOTES = re.compile(
    '["\\\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]'
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LIMIT = 1000
"""Maximum number of characters of a key in quotes; YAML limits a simple key to 1,024."""


def scalar(text: str) -> str:
    """Return the text on one line: plain if that is safe, else in double quotes."""
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS and not text.endswith("="):
        return text
    return f'"{_UNSAFE_IN_QUOTES.sub(_escaped, text)}"'


def block(text: str, indent: int) -> str:
    """Return the text as a literal block with lines indented by `indent` spaces, or quoted if no block can hold it.

    The result begins right after "key: " and does not end with a line break.
    """
    # A reader takes the indentation of a block from its first line, so that line may not begin with a blank.
    if "\n" not in text or text[0] in " \t\n" or _UNSAFE_IN_BLOCK.search(text):
        return scalar(text)
    stem = text.rstrip("\n")
    # "-" has no line break at the end, "" has one, and "+" keeps all that follow.
    chomping = {0: "-", 1: ""}.get(len(text) - len(stem), "+")
    pad = " " * indent
    padded = pad + text[: -1 if chomping != "-" else None].replace("\n", f"\n{pad}")
    return f"|{chomping}\n" + re.sub(rf"(?m)^ {{{indent}}}$", "", padded)  # an empty line has no blanks


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}"


# Long texts of recorded answers that later requests repeat. The file has each of them only once: a request's body is
# then a list of texts and references. `{of: *answer1, from: 93, to: 5000093}` means those characters of the first
# answer, whose body has the YAML anchor `&answer1`.

LEAST = 100_000
"""Minimum number of characters of a text that is not repeated. Shorter ones stay readable in their place."""
_MOST = 32
"""Maximum number of texts to look for in each request, the latest ones."""
_STRING = re.compile(CLOSED_STRING, re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reference:
    """A part of an earlier answer's body."""

    answer: int
    """1-based position of the answer in the cassette."""
    start: int
    end: int
    """0-based characters of the body; the last one is not included."""

    def __str__(self) -> str:
        """Return the reference as YAML."""
        return f"{{of: *answer{self.answer}, from: {self.start}, to: {self.end}}}"


class RepeatedTexts:
    """The long texts of the answers written so far."""

    def __init__(self) -> None:
        self._known: deque[tuple[str, Reference]] = deque(maxlen=_MOST)
        self._count = 0

    def add(self, body: str) -> str:
        """Note the long texts of the next answer; return the anchor that its body needs, or ""."""
        self._count += 1
        known = len(body) >= LEAST
        for found in _STRING.finditer(body) if known else ():
            start, end = found.start() + 1, found.end() - 1
            if end - start >= LEAST:
                self._known.append((body[start:end], Reference(self._count, start, end)))
        return f"&answer{self._count} " if known else ""

    def split(self, body: str) -> list[str | Reference]:
        """Return a request's body with a reference in place of each known text."""
        pieces: list[str | Reference] = [body]
        # The longest first, since a shorter text may be a part of it.
        for text, reference in sorted(self._known, key=lambda known: -len(known[0])) if len(body) >= LEAST else ():
            pieces = [part for piece in pieces for part in _around(piece, text, reference)]
        return [piece for piece in pieces if piece != ""]


def _around(piece: str | Reference, text: str, reference: Reference) -> list[str | Reference]:
    if isinstance(piece, Reference):
        return [piece]
    parts: list[str | Reference] = []
    for rest in piece.split(text):
        parts += [reference, rest]
    return parts[1:]


def referenced(piece: Mapping[str, object]) -> str:
    """Return the characters of a reference in a file; "" if it is not one."""
    whole, start, end = (piece.get(name) for name in ("of", "from", "to"))
    if not isinstance(whole, str) or not isinstance(start, int) or not isinstance(end, int):
        return ""
    return whole[max(start, 0) : max(end, 0)]
