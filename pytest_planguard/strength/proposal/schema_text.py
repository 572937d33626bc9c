"""A shape as pydantic models: readable Python, with what each field rests on as a comment."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field

from .shape import Choice, Either, Field, Items, Record, Scalar, Shape, Table

RESERVED = frozenset(
    {"copy", "json", "dict", "schema", "construct", "validate", "fields", "parse_raw", "parse_obj", "parse_file"}
    | {"from_orm", "update_forward_refs", "schema_json", "date", "str", "int", "float", "bool", "list", "register"}
)
"""Names that a field must not have: attributes of BaseModel, and types that annotations below it would mean."""
LINE = 120
"""Characters of a line before its comment moves above it."""


@dataclass(slots=True)
class SchemaText:
    """The models of one schema while they are written, the innermost first."""

    models: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=lambda: {"BaseModel", "Field", "Literal", "Any", "Contract", "CONTRACT"})
    imports: set[str] = field(default_factory=set)
    """Names that annotations use: "Any", "Literal", "Field", "date", "BaseModel"."""
    attributes: set[str] = field(default_factory=set)
    """Names of fields so far. No model is called so: `A: A | None = None` would mean the field's own default."""

    def annotation(self, shape: Shape, name: str) -> str:
        """Return the annotation of a shape, and write the models that it needs; `name` is what they are called."""
        if isinstance(shape, Scalar):
            self.imports |= {shape.python} & {"Any", "date"}
            return shape.python
        if isinstance(shape, Choice):
            self.imports.add("Literal")
            return f"Literal[{', '.join(map(_quoted, shape.values))}]"
        if isinstance(shape, Items):
            return f"list[{self.annotation(shape.item, singular(name))}]"
        if isinstance(shape, Table):
            return f"dict[str, {self.annotation(shape.value, singular(name))}]"
        if isinstance(shape, Either):
            return " | ".join(dict.fromkeys(self.annotation(member, name) for member in shape.members))
        return self._model(shape, name)

    def _model(self, shape: Record, name: str) -> str:
        if not shape.fields:
            self.imports.add("Any")
            return "dict[str, Any]"
        title = self._title(name)
        self.imports.add("BaseModel")
        lines = self._fields(shape, title)
        protected = any(entry.key.startswith("model_") for entry in shape.fields)
        config = "    model_config = ConfigDict(protected_namespaces=())\n\n" if protected else ""
        self.imports |= {"ConfigDict"} if protected else set()
        head = f'class {title}(BaseModel):\n    """From {shape.evidence}."""\n\n'
        self.models.append(f"{head}{config}{''.join(lines)}")
        return title

    def _title(self, name: str) -> str:
        words = re.findall(r"[A-Za-z0-9]+", name)
        title = "".join(word[:1].upper() + word[1:] for word in words) or "Part"
        title = f"Part{title}" if title[0].isdigit() or keyword.iskeyword(title) else title
        unique, number = title, 2
        while unique in self.taken or unique in self.attributes:
            unique, number = f"{title}{number}", number + 1
        self.taken.add(unique)
        return unique

    def _fields(self, shape: Record, title: str) -> list[str]:
        used: set[str] = set()
        return [self._field(entry, title, used) for entry in shape.fields]

    def _field(self, entry: Field, title: str, used: set[str]) -> str:
        name = _attribute(entry.key, used, self.taken)
        self.attributes.add(name)
        annotation = self.annotation(entry.shape, entry.key if _has_models(entry.shape) else title)
        if not entry.required and "None" not in annotation.split(" | "):
            annotation += " | None"
        default = _default(entry, name)
        self.imports |= {"Field"} if "Field(" in default else set()
        line, comment = f"    {name}: {annotation}{default}", _evidence(entry)
        return f"{line}  # {comment}\n" if len(line) + len(comment) + 4 <= LINE else f"    # {comment}\n{line}\n"


def _has_models(shape: Shape) -> bool:
    return not isinstance(shape, (Scalar, Choice))


def _default(entry: Field, name: str) -> str:
    if name == entry.key:
        return "" if entry.required else " = None"
    first = "" if entry.required else "default=None, "
    return f" = Field({first}alias={_quoted(entry.key)})"


def _attribute(key: str, used: set[str], taken: set[str]) -> str:
    """Return a name for a key: itself where Python and pydantic allow it; "class" gives "class_", "2 b" "field_2_b".

    `used` are the names of its model's fields, to which it is added, `taken` those that annotations mean: "Field".
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


def _evidence(entry: Field) -> str:
    shape = entry.shape
    members = shape.members if isinstance(shape, Either) else (shape,)
    words = " or ".join(member.evidence for member in members if not isinstance(member, Either))
    return " ".join(f"{words}{'' if entry.required else '; not in every example'}".split())


def singular(name: str) -> str:
    """Return what one of several is called: "levers" gives "lever", "feedback_item_list" "feedback_item"."""
    name = name.removesuffix("_list")
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _quoted(text: str) -> str:
    quoted = repr(text)
    return f'"{quoted[1:-1]}"' if '"' not in quoted and quoted[0] == "'" else quoted
