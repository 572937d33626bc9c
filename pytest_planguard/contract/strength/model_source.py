"""Write pydantic models from example answers: readable Python, with the evidence for each field as a comment."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from ..phrasing import plural
from .evidence import place_name, span
from .operators import repeats

if TYPE_CHECKING:
    from ...document.path import Path

RESERVED = frozenset({
    "copy", "json", "dict", "schema", "construct", "validate", "fields", "parse_raw", "parse_obj", "parse_file",
    "from_orm", "update_forward_refs", "schema_json", "date", "str", "int", "float", "bool", "list", "register",
})  # fmt: skip
"""Names that a field must not have: attributes of BaseModel, and types that annotations would then confuse with it."""
LINE = 120
"""Maximum length of a line. In a longer line, the comment moves above it."""


MAP_KEYS = 8
"""Minimum number of distinct keys for treating objects without a common key as maps: {"alice": 3, "bob": 5}."""
_KINDS = ("object", "list", "text", "number", "truth", "null")
"""The kinds of values, in the order of an annotation: "Room | str | None"."""
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
            self._of_kind(kind, own, path, name)
            for kind in _KINDS
            if (own := [v for v in values if kind_of(v) == kind])
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
        if is_table(values):
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


def kind_of(value: object) -> str:
    """Return the kind of a value, one of `_KINDS`."""
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, (list, tuple)):
        return "list"
    if isinstance(value, str):
        return "text"
    # Before numbers: in Python, True is an int.
    if isinstance(value, bool):
        return "truth"
    return "null" if value is None else "number"


def _is_date(text: str) -> bool:
    """Return True if a text is a date such as "2026-11-22"; other spellings of ISO 8601 remain texts."""
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_table(values: _Objects) -> bool:
    """Return True if keys are data: there are many, no key is in all objects, and all values have the same kind."""
    keys = {key for value in values for key in value}
    kinds = {kind_of(item) for value in values for item in value.values()}
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
