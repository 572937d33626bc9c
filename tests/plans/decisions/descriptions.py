"""What is read by descriptions of formats, and which descriptions are wrong."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

from pytest_planguard.extend import Profile, Source
from pytest_planguard.plans.declared.described import described_format
from pytest_planguard.plans.judging.judge_files import read_document
from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.plans.plan import Traits

from ...support.decisions import Block, Decided, Messages, inputs, sorted_out
from .show import check_text, refused, whole

_FORMATS = Path(__file__).parent / "inputs" / "formats"
STEPS = (_FORMATS / "steps.yaml").read_text("utf-8")
STEPS_TEXT = (_FORMATS / "steps.md").read_text("utf-8")
ELSEWHERE = (_FORMATS / "elsewhere.md").read_text("utf-8")
LISTED = (_FORMATS / "listed.yaml").read_text("utf-8")
LISTED_TEXT = (_FORMATS / "listed.md").read_text("utf-8")
BOXES = (_FORMATS / "boxes.yaml").read_text("utf-8")
BOXES_TEXT = (_FORMATS / "boxes.md").read_text("utf-8")
NUMBERED = (_FORMATS / "numbered.yaml").read_text("utf-8")
NUMBERED_TEXT = (_FORMATS / "numbered.md").read_text("utf-8")
PLAYS = (_FORMATS / "plays.yaml").read_text("utf-8")
PLAYS_TEXTS = (
    """\
aim: Play
plays:
  first:
    steps:
      - {name: a1, what: Begin, state: OPEN, verify: it, touches: [a.py, b.py]}
      - {name: a2, what: Go on, needs: 'a1, , a9', state: closed, parts: [{steps: [{name: a3, needs: [a1, 5]}]}]}
      - {name: 3, what: 4, needs: 3, state: odd, verify: []}
      - {what: no id, needs: true, verify: ''}
      - words
  second: {steps: {b1: {what: Keyed, needs: {a: 1}}, b2: words}}
""",
    "plays: 5\n",
    "[]\n",
    "words\n",
    "aim: 5\nplays: []\nowner: me\n",
)
FORMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (STEPS, (STEPS_TEXT, ELSEWHERE, STEPS_TEXT.replace("## Work", "## Werk"))),
    (STEPS.replace("  under: Work\n", "").replace("  level: 4\n", ""), (STEPS_TEXT,)),
    (LISTED, (LISTED_TEXT,)),
    (LISTED.replace("level: 1, ", ""), (LISTED_TEXT,)),
    (BOXES, (BOXES_TEXT,)),
    (NUMBERED, (NUMBERED_TEXT,)),
    (PLAYS, PLAYS_TEXTS),
    (
        "format: plain\ntasks: {status: {words: {done: done}}}\nsections: {}\n",
        (
            (
                "# P\n\n## One\n\n### S1: a\n\nStatus: done\n\n### STEP-12: b\n\n### 2.1: c\n\n#### 4b: d\n\n### x: e\n"
                "\n### ABCDEFGHIJK1: f\n\n## Two\n\n# S3: g\n\nStatus: odd\n\n### S-4 h\n"
            ),
        ),
    ),
    ("format: bare\ndata: {tasks: a}\n", ("a: [{id: x, title: X, depends: [y], status: done}, {}]\n", "b: 1\n")),
    (
        "format: ux\ngoal: 'UX:'\ntasks: {pattern: 'X{id}X {title}', id: '\\d+'}\n",
        ("## UX\n\nX it X\n\n### X1X X it X\n",),
    ),
    ("format: late\ntasks: {pattern: '{id} {title}', id: 'X\\d', level: 1}\n", ("# X1 a\n\n# X2 b\n", "- X1 a\n")),
)


def described(page: Messages) -> Iterator[Block]:
    """What is read and found by descriptions, and how surely a document is of the format."""
    for number, (description, texts) in enumerate(FORMS, 1):
        profile = described_format(description, "plan.yaml", _no_file)
        policy = policy_of([profile.name], profiles=[profile])
        made = []
        for at, text in enumerate(texts, 1):
            path = f"a.{'md' if profile.medium == 'markdown' else 'yaml'}"
            score = profile.score(Source(read_document(text, path), path))
            parts = whole(page, policy.judge({path: text}, {path})[path]).split(" / ")
            made.append(Decided(f"{description} {text}", f"score {score}", f"text {at}"))
            made += [Decided(f"{description} {text}", part, f"{at}.{n}") for n, part in enumerate(parts)]
        yield Block(f"{number}: {profile.name} {profile.medium} {profile.about!r} {_places(profile)}", made)


_WRONG = (
    "format: a\n",
    "format: a\ntasks: {}\ndata: {tasks: a}\n",
    "format: a\ntasks: {}\nschema: {}\n",
    "format: a\ndata: {tasks: a}\nschema: 5\n",
    "format: a\ndata: {tasks: a}\nschema: gone.json\n",
    "format: a\ndata: {tasks: a}\nschema: binary.json\n",
    "format: a\ndata: {tasks: a}\nschema: there.yaml\n",
    "format: a\ndata: {tasks: a}\nschema: there.json\n",
    "format: a\nrecognise: ['a', '(']\ntasks: {id: '(a)', pattern: '{number}: {title}'}\n",
    "format: a\ntasks: {id: '[', pattern: 'Step'}\nsections: {pattern: '{id} {odd}'}\n",
    "format: a\ntasks: {pattern: '{title}', depends: ['after']}\n",
    "format: a\ntasks: {form: numbered, pattern: '{title}', depends: ['after']}\n",
    "format: a\ndata: {tasks: a, pattern: '('}\nrules: {dep-cycel: warn, id-gap: off}\n",
    "format: a\ndata: {tasks: a, pattern: '(b)'}\n",
    "format: a\ntasks: {level: '3', ordered: 1}\n",
    f"format: a\ndata: {{tasks: a}}\nschema: [{'x' * 70}]\n",
    "a: [\n",
    "",
)
_PATHS = ("ops/a.md", "x/ops/a/b/c.md", "dev_ops/a/b.md", "ops/a/b.txt")
_FILES = {"there.yaml": "type: object\n", "there.json": "[1"}


def _places(profile: Profile) -> list[str]:
    """Return the paths that fit the format's places; the expression itself differs between versions of Python."""
    return [path for path in _PATHS if any(re.search(place, path) for place in profile.places)]


def _no_file(name: str) -> str:
    if name == "binary.json":
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    if name not in _FILES:
        raise FileNotFoundError(2, "No such file or directory")
    return _FILES[name]


def wrong_descriptions(page: Messages) -> Iterator[Block]:
    """Descriptions with a problem; and each value of a sound one left out, or of another type."""
    yield Block("descriptions", [Decided(text, refused(page, partial(_said, text))) for text in _WRONG])
    for description in (STEPS, PLAYS):
        data = yaml.safe_load(description)
        usual = _said(description)
        made = []
        for path in _paths(data):
            ways = []
            for name, odd in (("gone", ()), ("odd", ({"odd": 1},))):
                said = refused(page, partial(_said, yaml.safe_dump(put(data, path, *odd))))
                other = [word for word in said.split("; ") if word not in usual.split("; ")]
                ways.append(("; ".join(other) or "as usual", name))
            name = ".".join(map(str, path))
            made.append(Decided(f"{description} {name}", sorted_out(ways), name))
        yield Block(f"a value of {data['format']} that is gone, or odd", made)


def _said(text: str) -> str:
    """Return what a description sets."""
    profile = described_format(text, "plan.yaml", _no_file)
    reader: Any = profile.read
    traits = next(one for one in reader.args if isinstance(one, Traits))
    set_so = {
        "noun": traits.noun,
        "ids": traits.id_pattern,
        "example": traits.id_example,
        "statuses": traits.statuses,
        "goal": traits.needs_goal,
        "ordered": traits.ordered,
        "required": traits.required,
        "severities": {code: level.value for code, level in traits.severities.items()},
        "off": sorted(traits.off),
        "schema": profile.schema is not None,
    }
    words = f"{profile.name} {profile.medium}; {profile.about}; {_places(profile)}"
    return "; ".join([words, *(f"{name} {value}" for name, value in set_so.items())])


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, below in value.items() if isinstance(value, dict) else ():
        yield (*path, key)
        yield from _paths(below, (*path, key))


def put(data: Any, path: tuple[Any, ...], *value: Any) -> Any:
    """Return a copy of the data with another value at a path, or without what is there."""
    changed = copy.deepcopy(data)
    here = changed
    for key in path[:-1]:
        here = here[key]
    if value:
        here[path[-1]] = value[0]
    else:
        del here[path[-1]]
    return changed


_STEPS_BEGIN = (_FORMATS / "beginning.md").read_text("utf-8")


@cache
def _known(description: str) -> Profile:
    return described_format(description, "plan.yaml", _no_file)


def _read(page: Messages, text: str, path: str, description: str) -> list[str]:
    profile = _known(description)
    report = check_text(text, path=path, format=profile.name, profiles=(profile,))
    return [line for part in whole(page, report).split(" / ") for line in part.split("; ")]


def in_described(page: Messages) -> Iterator[Block]:
    """What a piece adds to the reading of a document of a described format; what a field of data is read as."""
    usual = _read(page, _STEPS_BEGIN, "a.md", STEPS)
    made = []
    for piece in inputs("plans", "in_described"):
        lines = _read(page, f"{_STEPS_BEGIN}{piece}\n", "a.md", STEPS)
        gone = sum(line not in lines for line in usual)
        made.append(Decided(piece, "; ".join([f"{gone} gone", *(line for line in lines if line not in usual)])))
    yield Block("a piece of Markdown", made)
    made = []
    for field in inputs("plans", "in_described_data"):
        step = {"name": "a2", "what": "Go on", "verify": "it", **json.loads(field)}
        data = {"owner": "me", "aim": "Play", "plays": {"x": {"steps": [{"name": "a1", "verify": "it"}, step]}}}
        made.append((field, "; ".join(_read(page, json.dumps(data), "a.json", PLAYS))))
    yield Block("a field of data", made)
