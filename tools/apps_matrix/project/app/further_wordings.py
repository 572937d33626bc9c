"""Wordings of the drawn apps alone: no rule was written in view of them. A part of the generated project."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence

from .further_tables import FREE, GRUMBLES, LANGUAGES, TOOLS, TYPE_NAMES, TYPES
from .subjects import Fault
from .wordings import Wording, dotted, friendly

GENERIC = {
    "portuguese": "Ainda não está certo. Tente outra vez, por favor.",
    "ukrainian": "Поки що не те, спробуйте, будь ласка, ще раз.",
    "finnish": "Tämä ei vielä kelpaa, yritä uudelleen.",
    "hungarian": "Ez még nem jó, kérem, próbálja meg újra.",
    "indonesian": "Ini belum tepat, silakan coba lagi.",
    "persian": "هنوز درست نیست، لطفاً دوباره تلاش کنید.",
}
Tree = dict[str | int, "Tree"]
"""Messages by place; a message is a key of `MESSAGE`, which is a key of its place."""
MESSAGE = ""


def free(column: int, frame: str, language: str = "english") -> Wording:
    """Return sentences of a column of `FREE`."""
    rows = ([cell.strip() for cell in line.split("|")] for line in FREE.strip().splitlines())
    called = {row[0]: row[column] for row in rows}

    def say(found: Sequence[Fault]) -> str:
        return " ".join(frame.format(called[f.rule].format(called[f.field])) for f in found)

    return Wording(say, names=False, items=False, language=language)


def got(fault: Fault) -> str:
    """Return the value as JSON has it."""
    return "null" if fault.rule == "missing" else json.dumps(fault.value, ensure_ascii=False)


def choices(fault: Fault, between: str = ", ") -> str:
    """Return '"jazz", "folk", "opera"', in no language."""
    return between.join(fault.allowed.replace("'", '"').replace(" or ", ", ").split(", "))


def said(fault: Fault, table: str, place: str = "") -> str:
    """Return what a table says of a fault."""
    types = dict(zip(TYPE_NAMES, TYPES.get(table, TYPE_NAMES), strict=True))
    values = {"bound": fault.bound, "value": fault.value, "got": got(fault), "allowed": choices(fault, " / ")}
    named = {"place": place, "field": fault.field, "label": fault.field.capitalize(), "type": types[fault.type]}
    return (LANGUAGES | TOOLS)[table][fault.rule].format(choices=choices(fault), **values, **named)


def chain(fault: Fault, name: str, item: str, start: int = 0) -> str:
    """Return the steps one after the other, with items counted from `start`."""
    return "".join(item.format(s + start) if isinstance(s, int) else name.format(s) for s in fault.path)


def inside_out(fault: Fault, between: str, item: str) -> str:
    """Return "memory of containers no. 2", counted from 1."""
    parts: list[str] = []
    for step in fault.path:
        if isinstance(step, int):
            parts[-1] += item.format(step + 1)
        else:
            parts.append(step)
    return between.join(reversed(parts))


PLACES: dict[str, Callable[[Fault], str]] = {
    "portuguese": lambda f: chain(f, " → {}", " → {}.º", 1).removeprefix(" → "),
    "ukrainian": lambda f: f"«{inside_out(f, '» у «', ' №{}')}»",
    "hungarian": lambda f: chain(f, ", {}", " {}. eleme", 1).removeprefix(", "),
    "indonesian": lambda f: inside_out(f, " pada ", " ke-{}"),
    "persian": lambda f: f"«{chain(f, '.{}', '.{}')[1:]}»",
}
"""How a language tells places, unless by dots and brackets."""


def in_language(language: str) -> Wording:
    """Return sentences of a language, one a line, with the place in it."""
    place = PLACES.get(language, dotted)
    return Wording(lambda found: "\n".join(said(f, language, place(f)) for f in found), language=language)


def each(form: Callable[[Fault], str], between: str = "\n", frame: str = "{}") -> Wording:
    """Return the same form for each error."""
    return Wording(lambda found: frame.replace("{}", between.join(map(form, found))))


def tree(found: Sequence[Fault], table: str) -> Tree:
    """Return the messages of a table by place."""
    root: Tree = {}
    for fault in found:
        node = root
        for step in fault.path:
            node = node.setdefault(step, {})
        node.setdefault(MESSAGE, {})[said(fault, table)] = {}
    return root


def changeset(node: Tree) -> str:
    """Return a map of Elixir; items without errors are empty maps."""
    numbers = [step for step in node if isinstance(step, int)]
    parts = [changeset(node.get(n, {})) for n in range(max(numbers, default=-1) + 1)]
    parts += map(str, node.get(MESSAGE, {}))
    fields = [f"{step}: {changeset(below)}" for step, below in node.items() if step and isinstance(step, str)]
    parts += [f"%{{{', '.join(fields)}}}"] if fields or not parts else []
    return f"[{', '.join(parts)}]" if MESSAGE in node or numbers else parts[0]


def marshmallow(node: Tree) -> object:
    """Return dictionaries, with items by number."""
    messages = [str(message) for message in node.get(MESSAGE, {})]
    inner = {step: marshmallow(below) for step, below in node.items() if step != MESSAGE}
    return {**({"_schema": messages} if messages else {}), **inner} if inner else messages


def bullets(node: Tree, depth: int = 0) -> str:
    """Return an outline, with items counted from 1."""
    lines = (f"{'    ' * depth}- {message}\n" for message in node.get(MESSAGE, {}))
    inner = ((f"no. {s + 1}" if isinstance(s, int) else s, below) for s, below in node.items() if s != MESSAGE)
    return "".join(lines) + "".join(f"{'    ' * depth}- {s}\n{bullets(below, depth + 1)}" for s, below in inner)


def spec(fault: Fault) -> str:
    """Return a line of Clojure's spec; what is missing is told of its map."""
    steps = fault.path[:-1] if fault.rule == "missing" else fault.path
    place = " ".join(str(s) if isinstance(s, int) else f":{s}" for s in steps)
    shown = "{...}" if fault.rule == "missing" else got(fault)
    return f"{shown} - failed: {said(fault, 'spec')} in: [{place}] spec: :{fault.subject}/{fault.field}"


def fluent(fault: Fault) -> str:
    """Return a line of C#'s exception."""
    place = "".join(f"[{s}]" if isinstance(s, int) else f".{s.capitalize()}" for s in fault.path)[1:]
    return f" -- {place}: {said(fault, 'fluent')} Severity: Error"


def terraform(fault: Fault) -> str:
    """Return a box."""
    at = f"{fault.subject}.{dotted(fault)}"
    return f"╷\n│ Error: Invalid value for variable\n│\n│   {at} is {got(fault)}\n│\n│ Give {said(fault, 'wanted')}.\n╵"


def swift(fault: Fault) -> str:
    """Return an error of a decoder, whose path is that of what holds a missing key."""
    steps = [f"Index {s}" if isinstance(s, int) else s for s in fault.path]
    if fault.rule == "missing":
        return f'keyNotFound("{fault.field}", Context(codingPath: [{", ".join(steps[:-1])}]))'
    told = json.dumps(said(fault, "teacher"), ensure_ascii=False)
    return f"dataCorrupted(Context(codingPath: [{', '.join(steps)}], debugDescription: {told}))"


def hunk(fault: Fault) -> str:
    """Return a hunk of a diff, at what holds the field."""
    *holder, last = fault.path
    at, key = ([*holder, last], "") if isinstance(last, int) else (holder, f'"{last}": ')
    removed = "" if fault.rule == "missing" else f"-  {key}{got(fault)}\n"
    return f"@@ /{'/'.join(map(str, at))} @@\n{removed}+  {key}<{said(fault, 'wanted')}>"


def sheet(found: Sequence[Fault]) -> str:
    """Return a table of a spreadsheet, with rows counted from 1."""
    text = io.StringIO()
    rows = csv.writer(text, delimiter=";", lineterminator="\n")
    rows.writerow(["sheet", "row", "column", "remark"])
    for f in found:
        row = ".".join(str(step + 1) for step in f.path if isinstance(step, int))
        column = " > ".join(step for step in f.path[1:] if isinstance(step, str))
        rows.writerow([f.path[0], row, column, said(f, "wanted")])
    return text.getvalue()


def jq(fault: Fault) -> str:
    """Return what a script echoes before it stops."""
    return f"+ jq -e '{said(fault, 'jq', chain(fault, '.{}', '[{}]'))}' answer.json\nfalse # {got(fault)}"


def vine(found: Sequence[Fault]) -> str:
    """List errors of a form, with places in dots."""
    return json.dumps({"errors": [{"message": said(f, "bubble"), "field": chain(f, ".{}", ".{}")[1:]} for f in found]})


def boss(found: Sequence[Fault]) -> str:
    """Speak of the first error."""
    return f"One thing before I read on. {inside_out(found[0], ', under ', ' #{}')}: {said(found[0], 'teacher')}."


def circled(found: Sequence[Fault]) -> str:
    """Name places alone, as an editor does."""
    return f"I have circled {'; '.join(inside_out(f, ' beneath ', ' (line {})') for f in found)}."


WORDINGS = {
    **{language: in_language(language) for language in LANGUAGES},
    "changeset": Wording(lambda found: f"#Ecto.Changeset<errors: {changeset(tree(found, 'changeset'))}>"),
    "spec": each(spec),
    "fluent": each(fluent, frame="ValidationException: Validation failed:\n{}"),
    "marshmallow": Wording(lambda found: str(marshmallow(tree(found, "marshmallow")))),
    "kubectl": each(lambda f: f"* spec.{dotted(f)}: {said(f, 'kubectl')}", frame="The object is invalid:\n{}"),
    "terraform": each(terraform),
    "swift": each(swift),
    "diff": each(hunk, frame="--- yours\n+++ ours\n{}"),
    "sheet": Wording(sheet),
    "jq": each(jq, frame="{}\n+ exit 1"),
    "vine": Wording(vine),
    "teacher": Wording(lambda found: f"Dear pupil, see my notes:\n\n{bullets(tree(found, 'teacher'))}"),
    "bubble": Wording(lambda found: " ".join(said(f, "bubble") for f in found), items=False, fields=False),
    "boss": Wording(boss, first=True),
    "circled": Wording(circled, rules=False),
    "grumbling": Wording(friendly(GRUMBLES), names=False, items=False),
    "wondering": free(1, "Tell me, {}?"),
    "veja bem": free(2, "Veja bem, {}.", "portuguese"),
    "aprosag": free(3, "Még egy apróság: {}.", "hungarian"),
    "coba lihat": free(4, "Coba lihat lagi, {}.", "indonesian"),
}
"""By name; none of them is among the wordings of the table."""
