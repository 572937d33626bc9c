"""Create plan formats from the YAML files that describe them: a user's, or the built-in ones in `formats`.

A JSON Schema may be attached to a format; its findings join those of the rules.
"""

import json
import os
import pathlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fnmatch import translate
from functools import partial
from typing import Any, Literal

from ...contract import Contract
from ...contract.finding import Severity
from ...contract.schema.json_schema import JsonSchemaCheck
from ...contract.schema.schema import SchemaCheck
from ...document.answer import Document, read
from ...document.path import Path
from ...document.positions import Span
from ...errors import UsageError, nearest, offer
from ..plan import Traits
from ..reading.outline import Source
from ..reading.profile import HINT, PROOF, Profile, signs
from ..rules.judge_plan import RULES, unknown_rule
from .data_reader import read_data
from .markdown_reader import read_markdown
from .paths import data_score
from .settings import PARTS, FormatSettings, TaskSettings, exact, fields_of

Problem = tuple["Path", str]
"""A problem in a description: its path and its message."""


def described_format(text: str, where: str, read_file: Callable[[str], str]) -> Profile:
    """Return the plan format that a YAML text describes.

    Messages call the text `where`, its file name. `read_file` returns the text of a JSON Schema beside it. Raises
    UsageError for a description with errors; it lists every problem with its line.
    """
    if all(line.lstrip()[:1] in ("", "#") for line in text.splitlines()):  # a contract would speak of an answer
        raise UsageError(
            f"{where}: the description of a plan format is empty; copy one: planguard plan rules copy task-list"
        )
    document = read(text, format="yaml", extract="whole")
    verdict = Contract(FormatSettings, format="yaml", extract="whole", strict=True, name="plan format").check(text)
    if not verdict.ok:
        bad = [finding for finding in verdict.findings if finding.severity.bad]
        words = [f"{one.message}; {one.hint}" if one.hint else one.message for one in bad]
        raise _wrong(where, [(one.span, one.path, said) for one, said in zip(bad, words, strict=True)])
    settings = verdict.value
    assert isinstance(settings, FormatSettings)
    if problems := [*_problems(settings)]:
        raise _at(document, where, problems)
    try:
        check = None if settings.schema is None else json_schema_check(settings.schema, read_file)
    except UsageError as error:
        raise _at(document, where, [(("schema",), str(error))]) from None
    return profile_of(settings, check)


def _at(document: Document, where: str, problems: Iterable[Problem]) -> UsageError:
    """Return the error for some problems, each with the line of its value."""
    listed = [*problems]
    paths = {path[:end] for path, _ in listed for end in range(len(path) + 1)}
    spans = document.locate_many(paths)
    closest = [next((spans[p[:end]] for end in range(len(p), -1, -1) if p[:end] in spans), None) for p, _ in listed]
    return _wrong(where, [(span, *problem) for span, problem in zip(closest, listed, strict=True)])


def _wrong(where: str, told: Iterable[tuple[Span | None, Path, str]]) -> UsageError:
    rows = sorted((span.line if span else 1, ".".join(map(str, path)), words) for span, path, words in told)
    return UsageError("\n".join(f"{where}:{line}: {f'{name}: ' if name else ''}{words}" for line, name, words in rows))


def _problems(settings: FormatSettings) -> Iterator[Problem]:
    """Yield the problems that the types of the fields cannot express."""
    if settings.tasks is not None and settings.data is not None:
        yield (), "a format has tasks (Markdown) or data (JSON, YAML): got both; write one of them"
    if settings.tasks is None and settings.data is None and not (settings.required or settings.signs):
        yield (), "a format has tasks (Markdown), data (JSON, YAML) or required headings: got none; write one"
    if settings.data is not None and settings.signs:
        yield ("signs",), "signs apply to Markdown, not data; write the required fields in `recognise`"
    if settings.data is None and settings.schema is not None:
        yield ("schema",), "a JSON Schema applies to JSON or YAML, not Markdown tasks; leave it out"
    if settings.data is not None and not (settings.data.tasks or settings.data.may_be_empty):
        yield ("data",), "`data` has no path to its tasks; write tasks: steps"
    yield from _bad_patterns(settings)
    known = [rule.code for rule in RULES]
    for code in settings.rules:
        if code not in known:
            yield ("rules", code), str(unknown_rule(code, known))


def _bad_patterns(settings: FormatSettings) -> Iterator[Problem]:
    """Yield regular expressions that do not compile, and patterns with other fields in braces."""
    tasks, data = settings.tasks, settings.data
    expressions: list[tuple[Path, str]] = [(("signs", sign), sign) for sign in settings.signs]
    if data is None:
        expressions += [(("recognise", at), sign) for at, sign in enumerate(settings.recognise)]
    else:
        given = (("pattern", data.pattern), ("refers", data.refers))
        expressions += [(("data", name), text) for name, text in given if text is not None]
    if tasks is not None:
        expressions.append((("tasks", "id"), tasks.id))
        yield from _bad_fields(("tasks", "pattern"), tasks.pattern, ("id", "title"))
        if tasks.depends and tasks.form != "numbered" and "{id}" not in tasks.pattern:
            yield ("tasks", "depends"), f"dependencies need tasks with ids: got {tasks.pattern!r}; write {{id}} in it"
    if settings.sections is not None:
        yield from _bad_fields(("sections", "pattern"), settings.sections.pattern, ("number", "title"))
    for path, expression in expressions:
        yield from _bad_expression(path, expression)


def _bad_expression(path: Path, expression: str) -> Iterator[Problem]:
    try:
        groups = re.compile(expression).groups
        re.compile(f"(?:{expression})" if path == ("tasks", "id") else "")  # as a part, "(?i)" is an error
    except re.error as error:
        is_flag = "global flags" in str(error)
        advice = "write (?i:…) for (?i)…" if is_flag else "escape literal characters with a backslash"
        yield path, f"not a regular expression: got {expression!r} ({error}); {advice}"
        return
    if path == ("data", "refers") and groups < 1:
        yield path, f"no group for the id: got {expression!r}; write ({expression})"
    elif groups and path[0] not in ("recognise", "signs") and path[-1] != "refers":  # the others describe an id
        yield path, f"the pattern of an id cannot have groups: got {expression!r}; write (?:…) for (…)"


def _bad_fields(path: Path, pattern: str, allowed: tuple[str, ...]) -> Iterator[Problem]:
    fields = fields_of(pattern)
    strange = [name for name in fields if name not in allowed]
    twice = [name for name in fields if fields.count(name) > 1]
    if strange:
        listed = " and ".join(f"{{{name}}}" for name in allowed)
        yield path, f"unknown field in a pattern: got {{{strange[0]}}}; it may have {listed}"
    elif twice:
        yield path, f"a field of a pattern is there twice: got {pattern!r}; write {{{twice[0]}}} once"
    elif not fields:
        yield path, f"a pattern without {{title}}: got {pattern!r}; write {{title}} where the title goes"


def profile_of(settings: FormatSettings, schema: SchemaCheck | None = None, *, built_in: bool = False) -> Profile:
    """Return the format of valid settings. A built-in format needs no check for misspelt fields."""
    traits, data = _traits(settings), settings.data
    reader = partial(read_markdown, settings, traits)
    if data is not None:
        reader = partial(read_data, settings, data, traits, not built_in)
    medium: Literal["markdown", "data"] = "markdown" if data is None or data.within is not None else "data"
    own, usual = [tuple(rf"(^|/){translate(one)}" for one in globs) for globs in (settings.own_places, settings.places)]
    named = (settings.format, settings.family or settings.format, settings.about)
    return Profile(*named, _score(settings), reader, medium, usual, own, schema=schema)


def _traits(settings: FormatSettings) -> Traits:
    tasks, data = settings.tasks, settings.data
    words = {"required-sections": "retry"} | settings.rules  # the description demands the parts, so a plan needs them
    named = data or tasks or TaskSettings()
    pattern = data.pattern if data is not None else None
    if tasks is not None and "{id}" in tasks.pattern and tasks.form != "numbered":
        pattern = tasks.id
    return Traits(
        noun=named.noun,
        id_pattern=pattern,
        id_example=named.example or pattern,
        statuses=tuple(named.status.words) if named.status else (),
        needs_goal=settings.goal is not None,
        ordered=named.ordered,
        required=settings.required if data is None else (),
        severities={code: Severity(word) for code, word in words.items() if word != "off"},
        off=frozenset(code for code, word in words.items() if word == "off"),
        needs_tasks=tasks is not None or (data is not None and not data.may_be_empty),
        one_active=data is not None and data.one_active,
    )


def _score(settings: FormatSettings) -> Callable[[Source], int]:
    """Return the function that recognises a document: by all signs or, without any, by tasks of this form."""
    if settings.data is not None:
        return data_score(settings, settings.data)
    if settings.signs:
        return signs(*settings.signs.items())
    wanted = [re.compile(sign, re.MULTILINE) for sign in settings.recognise]
    score = PROOF if wanted else HINT
    if not wanted and settings.tasks is not None:
        look = exact(settings.tasks.pattern, settings.tasks.id).pattern
        lead = r"^[ \t]*(?:#+|-)[ \t]*(?:\[.\]\*?[ \t]*)?"
        wanted = [re.compile(rf"{lead}(?:{look})", re.MULTILINE | re.IGNORECASE)]
    return lambda source: score * all(sign.search(source.sketch) for sign in wanted)


def read_plan_format(path: str | os.PathLike[str]) -> Profile:
    """Return the plan format that a YAML file describes, for `plan_rules` and `Registrations.plan_format`.

    A JSON Schema that it names is beside it.

    Raises:
        UsageError: the file cannot be read, or has errors; lists every problem with its line.
    """
    file = pathlib.Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{path}: the plan format cannot be read ({reason}); name a YAML file") from None
    return described_format(text, str(path), lambda name: (file.parent / name).read_text(encoding="utf-8-sig"))


_FILES = {file.stem: file for file in sorted((pathlib.Path(__file__).parents[1] / "formats").glob("*/*.yaml"))}
"""The descriptions of the built-in formats, by name."""


def built_in() -> tuple[Profile, ...]:
    """Return the formats that the files describe."""
    import yaml

    loaded = (yaml.load(file.read_text("utf-8"), yaml.CSafeLoader) for file in _FILES.values())
    return tuple([profile_of(_made(FormatSettings, one), built_in=True) for one in loaded])


def format_text(name: str) -> str:
    """Return the description of a built-in format, for a user to change. Raises UsageError if no file describes it."""
    if name not in _FILES:
        known = sorted(_FILES)
        raise UsageError(f"no file describes plan format {name!r}{offer(nearest(name, known), known)}")
    return _FILES[name].read_text("utf-8")


def _made(kind: type[Any], given: dict[str, Any]) -> Any:
    """Return settings that are known to be valid: to build a pydantic validator for them takes longer than a check."""
    values = {}
    for name, value in given.items():
        part = PARTS.get(name) if isinstance(value, dict) else None
        values[name] = _made(part, value) if part else tuple(value) if isinstance(value, list) else value
    return kind(**values)


def json_schema_check(value: object, read_file: Callable[[str], str]) -> SchemaCheck:
    """Return the check of a JSON Schema: an object, or the path of a JSON or YAML file, which `read_file` reads.

    Raises UsageError if it is not a JSON Schema, cannot be read, or needs the optional package, which is missing.
    """
    if isinstance(value, str):
        try:
            text = read_file(value)
        except (OSError, UnicodeDecodeError) as error:
            why = f"{value} ({error.strerror if isinstance(error, OSError) else 'it is not UTF-8'})"
            raise UsageError(f"the JSON Schema cannot be read: got {why}; name a file beside this one") from None
        value = read(text, format="yaml" if value.endswith((".yaml", ".yml")) else "json", extract="whole").data
    if not isinstance(value, Mapping):
        raise UsageError(f"a JSON Schema is an object or a path: got {json.dumps(value)[:60]}; name a file")
    return JsonSchemaCheck(value)


def with_json_schema(profiles: Iterable[Profile], name: str | None, check: SchemaCheck) -> tuple[Profile, ...]:
    """Return the profiles, a JSON Schema attached to those of a format or family. Raises UsageError for Markdown."""
    known = tuple(profiles)
    if name is None:
        raise UsageError("a JSON Schema is attached to one format: got none; name the format beside it")
    chosen = [one for one in known if name in (one.name, one.family) and one.medium == "data"]
    if not chosen:
        raise UsageError(
            f"a JSON Schema applies to JSON and YAML: got the format {name}, which is Markdown; leave the schema out"
        )
    return tuple(replace(one, schema=check) if one in chosen else one for one in known)
