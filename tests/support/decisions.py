"""Pinned decisions: what the public functions decide about many inputs, one line each, and the page of messages.

A case judges inputs and yields blocks of decisions. Inputs of a block that are decided alike share a line:

    ## feedback on a number that is too large
    "must be at most 28" | "more than 28": located nights
    "is fine": missing nights

The words in which something is said are pinned once, on one page of templates for all packages: see `Messages`.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

TESTS = Path(__file__).parent.parent
PACKAGES = ("contract", "plans", "replay", "retry")
PAGE = TESTS / "support" / "pinned" / "messages.txt"
"""Every message template once."""
DIGESTS = TESTS / "support" / "inputs_of_decisions.json"
"""How many inputs each case has, and their digest: no input gets missing unseen."""
WIDTH = 160
_FIRST = 0xE000  # marks of filled-in values while a message is taken apart: letters for private use
NAME = 44
"""Characters of an input that name it; the whole input stands in the case."""


class Decided(NamedTuple):
    """One input and the decision about it."""

    input: str | tuple[str, ...]
    """The whole of it: a text, or JSON; several that are decided together."""
    decision: str
    name: str = ""
    """What the input is called in the pinned file; empty: the input, without its middle where it is long."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """All inputs."""
        return (self.input,) if isinstance(self.input, str) else self.input


@dataclass(frozen=True)
class Block:
    """Decisions about inputs of one kind."""

    title: str
    made: Iterable[Decided | tuple[str, str]]
    """A pair is an input that is called what it is, and the decision."""

    @cached_property
    def decided(self) -> tuple[Decided, ...]:
        """All decisions."""
        return tuple(one if isinstance(one, Decided) else Decided(*one, one[0]) for one in self.made)


class Messages:
    """The templates of all messages seen, with the filled-in parts marked: "expected at most <28>"."""

    def __init__(self) -> None:
        self.examples: dict[tuple[str, str], str] = {}
        self._seen = set[tuple[str, str]]()

    def add(self, sort: str, text: str | None, *filled: object) -> None:
        """Keep the template of a message, with this message as its example; `filled` holds values that it quotes."""
        text = (text or "").strip()
        if not text or (sort, text) in self._seen:
            return
        self._seen.add((sort, text))
        marked = _marked(text, filled)
        self.examples.setdefault((sort, _BETWEEN.sub("<>", marked)), marked)


Case = Callable[[Messages], Iterator[Block]]
_BETWEEN = re.compile(r"<[^<>]*>")
# What a message quotes: "Draft", `title`, 'it is', {"a": 1}, [1, 2]; a name with a sign or a digit in it: src/a.py,
# step_id, T-2, 1.5, 28; a long run of one letter.
_QUOTED = re.compile(
    r"""\0.|"(?:[^"\\\n]|\\.)*"?|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)|\{.*\}|\[[^\]\n]*\]"""
    r"""|(?<![\w])[\w-]+(?:[/._]+[\w-]+)+|(?<!\w)[-+]?[A-Za-z_-]*\d(?:[\w.,:-]*\w)?|([a-z])\1{19,}""",
    re.DOTALL,
)
_TEMPORARY = re.compile(rf"{re.escape(tempfile.gettempdir())}[\w./-]*")
# "month must be in 1..12, not 13": Python says what it got from 3.14 on.
_GOT_BY_PYTHON = re.compile(r"(?<=must be in 1\.\.12), not \d+")
# A list of what was filled in: <"Draft">, <"Approved"> or <3>
_LIST = re.compile(r"<([^<>]*)>(?:(?:, | or | and | -› )<[^<>]*>)+")


def _marked(text: str, filled: Iterable[object]) -> str:
    """Return a message with "<" and ">" around what was filled in."""
    text = _GOT_BY_PYTHON.sub("", _TEMPORARY.sub("FILE", text)).replace("<", "‹").replace(">", "›")
    known = {str(one).replace("<", "‹").replace(">", "›") for one in filled if one is not None}
    kept: list[str] = []
    for one in sorted(known - {""}, key=lambda one: (-len(one), one)):
        if len(one) > 1 and one in text:
            text = text.replace(one, f"\0{chr(_FIRST + len(kept))}")
            kept.append(one)
    marked = _QUOTED.sub(lambda found: f"<{_clipped(_put_back(found[0], kept), 40)}>", text)
    return _LIST.sub(r"<\1, …>", marked)


def _put_back(text: str, kept: Sequence[str]) -> str:
    return re.sub("\0(.)", lambda mark: kept[ord(mark[1]) - _FIRST], text)


def _clipped(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def quoted(text: str) -> str:
    """Return a text as the name of an input: in JSON's quotation marks, and shortened in the middle if it is long."""
    return f'"{shortened(json.dumps(text, ensure_ascii=False)[1:-1])}"'


def shortened(text: str) -> str:
    """Return a text without its middle if it is too long for a name."""
    return text if len(text) <= NAME else f"{text[: NAME // 2]}…{text[-NAME // 2 :]}"


def sorted_out(values: Iterable[tuple[str, str]], order: Sequence[str] = ()) -> str:
    """Return names grouped by decision: "missing title; weak the rest", from pairs of decision and name."""
    names: dict[str, list[str]] = {}
    for value, name in values:
        names.setdefault(value, []).append(name)
    usual = max(names, key=lambda value: len(names[value]), default="")
    rest = len(names.get(usual, ())) > max(2, sum(map(len, names.values())) // 2)
    ranked = [*(one for one in order if one in names), *(one for one in names if one not in order)]
    said = [f"{one} {', '.join(names[one])}" for one in ranked if not (rest and one == usual)]
    return "; ".join([*said, f"{usual} {'the rest' if said else 'all'}"] if rest else said)


def lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of a pinned file."""
    for block in blocks:
        yield from _wrapped(f"## {block.title}")
        seen: dict[str, int] = {}
        alike: dict[str, list[str]] = {}
        for one in block.decided:
            name = one.name or quoted(one.inputs[0])
            seen[name] = seen.get(name, 0) + 1
            alike.setdefault(one.decision, []).append(name if seen[name] == 1 else f"{name} #{seen[name]}")
        for decision, names in alike.items():
            yield from _grouped(names, decision)


def _grouped(names: Sequence[str], decision: str) -> Iterator[str]:
    """Yield lines that name inputs and end with the decision they share."""
    line = ""
    for name in names:
        longer = f"{line} | {name}" if line else name
        if line and len(longer) + len(decision) + 2 > WIDTH:
            yield from _wrapped(f"{line}: {decision}")
            longer = name
        line = longer
    yield from _wrapped(f"{line}: {decision}")


def _wrapped(line: str) -> list[str]:
    line = line.replace("\n", "\\n").rstrip().encode("utf-8", "backslashreplace").decode("utf-8")
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False, drop_whitespace=True)


def inputs(package: str, name: str) -> list[Any]:
    """Return the texts of a file of inputs, or other data."""
    return [text for texts in sections(package, name).values() for text in texts]


def sections(package: str, name: str) -> dict[str, list[Any]]:
    """Return the texts of a file of inputs, below its headings; each line is a text as JSON, or a heading."""
    found: dict[str, list[Any]] = {}
    heading = ""
    for line in (TESTS / package / "decisions" / "inputs" / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            heading = line[2:]
        else:
            found.setdefault(heading, []).append(json.loads(line))
    return found


def digest(inputs: Iterable[str]) -> tuple[int, str]:
    """Return the number of different inputs, and a digest of the set."""
    whole = sorted(set(inputs))
    return len(whole), hashlib.sha256(json.dumps(whole).encode()).hexdigest()


@dataclass(frozen=True)
class Result:
    """The outcome of a case."""

    text: str
    messages: Mapping[tuple[str, str], str] = field(default_factory=dict)
    inputs: tuple[int, str] = (0, "")


def cases(package: str) -> Sequence[Case]:
    """Return the cases of a package."""
    found: Sequence[Case] = import_module(f"tests.{package}.decisions.cases").CASES
    return found


@cache
def result(case: Case) -> Result:
    """Judge the inputs of a case, once per process."""
    messages = Messages()
    blocks = list(case(messages))
    inputs = [text for block in blocks for one in block.decided for text in one.inputs]
    return Result("\n".join([*lines(blocks), ""]), messages.examples, digest(inputs))


def pinned(package: str, case: Case) -> Path:
    """Return the file with the decisions of a case."""
    return TESTS / package / "decisions" / "pinned" / f"{case.__name__}.txt"


def page(results: Iterable[Result], before: str = "") -> str:
    """Return the page of templates, grouped by kind, each once.

    A template keeps the example that it has on the page `before`, so that a new input changes no other line. A new
    template gets the first example.
    """
    kept = _by_template(before)
    examples: dict[tuple[str, str], str] = {}
    for one in results:
        for key, example in one.messages.items():
            examples.setdefault(key, example)
    written: list[str] = []
    for sort in sorted({sort for sort, _ in examples}):
        heading = f"== {sort}"
        written.append(heading)
        for key in sorted(examples):
            if key[0] == sort:
                example = _wrapped(examples[key])
                written += kept.get(_template(heading, "".join(example)), example)
    return "\n".join([*written, ""])


def templates(text: str) -> set[str]:
    """Return the templates of a page, without their examples and without white space."""
    return set(_by_template(text))


def _by_template(text: str) -> dict[str, list[str]]:
    """Return the lines of each example of a page, by template."""
    found, heading = dict[str, list[str]](), ""
    for example in re.split(r"\n(?! {4})", text.rstrip("\n")):  # a line that continues an example is indented
        if example.startswith("== "):
            heading = example
        elif example:
            found[_template(heading, example)] = example.split("\n")
    return found


def _template(heading: str, example: str) -> str:
    """Return an example without what is filled in: `== reason` and "not <28>" give "==reason:not<>"."""
    return re.sub(r"\s+", "", f"{heading}: {_BETWEEN.sub('<>', example)}")


def assert_decided_as_before(package: str, case: Case) -> None:
    """Assert that every decision is the pinned one, that its wording is on the page, and that no input is missing."""
    made = result(case)
    assert made.text.split("\n") == pinned(package, case).read_text(encoding="utf-8").split("\n")
    new = templates(page([made])) - templates(PAGE.read_text(encoding="utf-8"))
    assert not new, "these messages are not on the page"
    assert list(made.inputs) == json.loads(DIGESTS.read_text(encoding="utf-8"))[f"{package}/{case.__name__}"]
