"""Propose a contract module with pydantic models, and a first test, from example answers."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ..phrasing import plural
from .evidence import GoodAnswer, evidence_of, id_places, place_name, span
from .operators import repeats
from .suggestion import Suggestion, constraint_lines, suggestions

if TYPE_CHECKING:
    from ...document.path import Path

# Turn examples into pydantic models: readable Python, with the evidence for each field as a comment.

RESERVED = frozenset(
    {"copy", "json", "dict", "schema", "construct", "validate", "fields", "parse_raw", "parse_obj", "parse_file"}
    | {"from_orm", "update_forward_refs", "schema_json", "date", "str", "int", "float", "bool", "list", "register"}
)
"""Names that a field must not have: attributes of BaseModel, and types that annotations would then confuse with it."""
LINE = 120
"""Maximum length of a line. In a longer line, the comment moves above it."""


MAP_KEYS = 8
"""Minimum number of distinct keys for treating objects without a common key as maps: {"alice": 3, "bob": 5}."""
_KINDS = ("object", "list", "text", "number", "truth", "null")
_Objects = Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class SchemaText:
    """Writes the models of one schema, the innermost first. They are never stricter than the examples."""

    ids: Collection[str] = ()
    """Places of ids and references, which never become an enumeration: "tasks[*].id"."""
    models: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=lambda: {"BaseModel", "Field", "Literal", "Any", "Contract", "CONTRACT"})
    imports: set[str] = field(default_factory=set)
    """Names that annotations use: "Any", "Literal", "Field", "date", "BaseModel"."""
    attributes: set[str] = field(default_factory=set)
    """Field names so far. No model may have one of them: in `A: A | None = None` the annotation would mean the default.
    """

    def annotation(self, values: Sequence[Any], path: Path, name: str) -> tuple[str, str]:
        """Return the annotation of example values and its evidence, and write the models that it needs.

        Args:
            values: the examples; `Any` without examples.
            path: their place; an index of a list is 0.
            name: the name for the models.
        """
        found = [
            self._of_kind(kind, own, path, name) for kind in _KINDS if (own := [v for v in values if _kind(v) == kind])
        ]
        if not found:
            self.imports.add("Any")
            return "Any", "no example has one"
        return " | ".join(dict.fromkeys(one for one, _ in found)), " or ".join(evidence for _, evidence in found)

    def _of_kind(self, kind: str, values: Sequence[Any], path: Path, name: str) -> tuple[str, str]:
        number = len(values)
        if kind == "object":
            return self._of_objects(values, path, name)
        if kind == "list":
            item, _ = self.annotation([item for value in values for item in value], (*path, 0), singular(name))
            return f"list[{item}]", plural(number, "list")
        if kind == "text":
            return self._of_texts(values, free=place_name(path) in self.ids)
        if kind == "null":
            return "None", f"{number} times null"
        if kind == "truth":
            return "bool", plural(number, "value")
        python = "int" if all(isinstance(value, int) for value in values) else "float"
        return python, f"{min(values)} to {max(values)}, {plural(number, 'number')}"

    def _of_texts(self, texts: Sequence[str], *, free: bool) -> tuple[str, str]:
        if not free and repeats(list(texts)):
            self.imports.add("Literal")
            kinds = sorted(set(texts))
            return f"Literal[{', '.join(map(_quoted, kinds))}]", f"{len(kinds)} values in {plural(len(texts), 'text')}"
        if len(texts) > 2 and all(map(_is_date, texts)):
            self.imports.add("date")
            return "date", f"{min(texts)} to {max(texts)}"
        return "str", f"{plural(len(texts), 'text')} of {span([len(text) for text in texts], 'character')}"

    def _of_objects(self, values: _Objects, path: Path, name: str) -> tuple[str, str]:
        keys = list(dict.fromkeys(key for value in values for key in value))
        objects = plural(len(values), "object")
        if _is_table(values):
            inner, _ = self.annotation([item for value in values for item in value.values()], ("*",), singular(name))
            return f"dict[str, {inner}]", f"{len(keys)} different keys in {objects}"
        if not keys:
            self.imports.add("Any")
            return "dict[str, Any]", objects
        title = self._title(name)
        self.imports.add("BaseModel")
        used: set[str] = set()
        lines = [self._field(key, values, path, used) for key in keys]
        protected = any(key.startswith("model_") for key in keys)
        config = "    model_config = ConfigDict(protected_namespaces=())\n\n" if protected else ""
        self.imports |= {"ConfigDict"} if protected else set()
        head = f'class {title}(BaseModel):\n    """From {objects}."""\n\n'
        self.models.append(f"{head}{config}{''.join(lines)}")
        return title, objects

    def _title(self, name: str) -> str:
        words = re.findall(r"[A-Za-z0-9]+", name)
        title = "".join(word[:1].upper() + word[1:] for word in words) or "Part"
        title = f"Part{title}" if title[0].isdigit() or keyword.iskeyword(title) else title
        unique, number = title, 2
        while unique in self.taken or unique in self.attributes:
            unique, number = f"{title}{number}", number + 1
        self.taken.add(unique)
        return unique

    def _field(self, key: str, values: _Objects, path: Path, used: set[str]) -> str:
        own = [value[key] for value in values if key in value]
        required = len(own) == len(values)
        name = _attribute(key, used, self.taken)
        self.attributes.add(name)
        annotation, evidence = self.annotation(own, (*path, key), key)
        if not required and "None" not in annotation.split(" | "):
            annotation += " | None"
        default = "" if required else " = None"
        if name != key:
            self.imports.add("Field")
            default = f" = Field({'' if required else 'default=None, '}alias={_quoted(key)})"
        line = f"    {name}: {annotation}{default}"
        comment = " ".join(f"{evidence}{'' if required else '; not in every example'}".split())
        return f"{line}  # {comment}\n" if len(line) + len(comment) + 4 <= LINE else f"    # {comment}\n{line}\n"


def _kind(value: object) -> str:
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, (list, tuple)):
        return "list"
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool):
        return "truth"
    return "null" if value is None else "number"


def _is_date(text: str) -> bool:
    """Return True if a text is a date such as "2026-11-22"; other spellings of ISO 8601 remain texts."""
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_table(values: _Objects) -> bool:
    """Return True if keys are data: there are many, no key is in all objects, and all values have the same kind."""
    keys = {key for value in values for key in value}
    kinds = {_kind(item) for value in values for item in value.values()}
    common = any(all(key in value for value in values) for key in keys)
    return len(values) > 1 and len(keys) >= MAP_KEYS and not common and len(kinds) == 1


def _attribute(key: str, used: set[str], taken: set[str]) -> str:
    """Return a name for a key that Python and pydantic allow: "class" gives "class_", "2 b" gives "field_2_b".

    Adds the name to `used`, the names of its model's fields. `taken` are names that annotations use: "Field".
    """
    name = key
    if not name.isidentifier() or name.startswith("_") or not name.isascii():
        name = "field_" + "_".join(re.findall(r"[A-Za-z0-9]+", key))
    if keyword.iskeyword(name) or name in RESERVED or name.startswith("model_"):
        name += "_"
    while name in used or name in taken:
        name += "_"
    used.add(name)
    return name


def singular(name: str) -> str:
    """Return the singular of a list's name: "levers" gives "lever", "feedback_item_list" gives "feedback_item"."""
    name = name.removesuffix("_list")
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _quoted(text: str) -> str:
    quoted = repr(text)
    return f'"{quoted[1:-1]}"' if '"' not in quoted and quoted[0] == "'" else quoted


FEW = 3
"""Minimum number of examples of a place for a constraint. Two answers say little about bounds."""
_LEFT_OUT = ("excludes", "one_of", "regex")
"""Builders that are never proposed: examples say little about some, and `Literal` and `date` replace the others."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposed module and test."""

    module: str
    """Source of the module with the schema and `CONTRACT`."""
    test: str
    """Source of a first test that imports the module."""


def propose(answers: Sequence[GoodAnswer], module: str = "answer_contract") -> Proposal:
    """Return a contract that accepts every example, and a first test.

    Args:
        answers: the examples, at least one.
        module: name of the module that the test imports.

    Raises:
        UsageError: there is no example, or none of them is an object or a list.
    """
    values = [answer.data for answer in answers]
    text = SchemaText(id_places(evidence_of(answers)))
    root, _ = text.annotation(values, (), "Answer")
    kinds = set(map(_kind, values))
    if kinds not in ({"object"}, {"list"}) or (kinds == {"object"} and _is_table(values)):
        seen = "texts" if root.startswith("Literal[") else root if len(kinds - {"object"}) == len(kinds) < 2 else None
        raise UsageError(
            f"no shape to propose: got {seen or 'answers of different shapes'}; "
            "give answers that are objects, or lists, all alike"
        )
    constraints = proposed_constraints(answers)
    return Proposal(_module(text, root, constraints, len(answers)), _test(answers, module))


def proposed_constraints(answers: Sequence[GoodAnswer]) -> list[Suggestion]:
    """Return the constraints (with slack) that every example satisfies, one of each kind per place."""
    evidence = evidence_of(answers)
    left_out = {*_LEFT_OUT, *(() if any(answer.context for answer in answers) else ("not_copied",))}
    kept: dict[tuple[str, str], Suggestion] = {}
    for one in suggestions(evidence, fewer_items=0.5):
        if one.builder in left_out or (one.place, one.builder) in kept or len(evidence[one.place].sites) < FEW:
            continue
        if not any(map(one.is_broken_by, answers)):
            kept[one.place, one.builder] = one
    return list(kept.values())


def _module(text: SchemaText, root: str, constraints: Sequence[Suggestion], number: int) -> str:
    source = plural(number, "example")
    parts = [f'"""A contract proposed from {source}; each comment says what a line rests on. Edit it freely."""\n\n']
    parts += [*_imports(text, constraints), "\n\n"]
    parts += [f"{model}\n\n" for model in text.models]
    parts += [f"{helper}\n\n" for helper in dict.fromkeys(one.helper for one in constraints) if helper]
    if not constraints:
        return f'{"".join(parts)}CONTRACT = Contract({root}, name="answer")\n'
    listed = "".join("    " + line for one in constraints for line in constraint_lines(one).splitlines(keepends=True))
    return (
        f'{"".join(parts)}CONTRACT = Contract(\n    {root},\n    constraints=[\n{listed}    ],\n    name="answer",\n)\n'
    )


def _imports(text: SchemaText, constraints: Sequence[Suggestion]) -> Iterator[str]:
    if "date" in text.imports:
        yield "from datetime import date\n"
    typing = sorted({"Any", "Literal"} & text.imports | ({"Any"} if any(one.helper for one in constraints) else set()))
    if typing:
        yield f"from typing import {', '.join(typing)}\n"
    if typing or "date" in text.imports:
        yield "\n"
    pydantic = sorted({"BaseModel", "ConfigDict", "Field"} & text.imports)
    if pydantic:
        yield f"from pydantic import {', '.join(pydantic)}\n\n"
    names = sorted({"Contract", *(one.builder for one in constraints)})
    yield f"from pytest_planguard import {', '.join(names)}\n"


def _test(answers: Sequence[GoodAnswer], module: str) -> str:
    example = min((json.dumps(answer.data, ensure_ascii=True, indent=1) for answer in answers), key=len)
    literals = "\n    ".join(map(repr, example.splitlines(keepends=True)))
    return (
        '"""A first test: an example answer meets the contract. Break the answer to see the test fail."""\n\n'
        "import json\n\nimport pytest\n"
        f"from {module} import CONTRACT\n\n"
        f"ANSWER = json.loads(\n    {literals}\n)\n\n\n"
        "@pytest.mark.planguard(CONTRACT)\n"
        "def test_an_example_keeps_the_contract(planguard):\n"
        "    planguard.check(ANSWER)\n"
    )


def contradictions(contract: Any, answers: Sequence[GoodAnswer]) -> list[str]:
    """Return the contradictions of further examples: one line for each rule and place, with the first message."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for answer in answers:
        for finding in contract.check(answer.data, context=answer.context).errors:
            key = (finding.code, place_name(finding.path))
            groups.setdefault(key, []).append((answer.name, finding.message))
    return [
        f"{place or 'the answer'}: {code}: {said[0][1]} ({said[0][0]}; {plural(len(dict(said)), 'example')})"
        for (code, place), said in groups.items()
    ]
