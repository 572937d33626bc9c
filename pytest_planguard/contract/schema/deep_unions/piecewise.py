"""A JSON Schema asked piece by piece: each piece of each value once, whatever number of ways lead there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ....document.limits import MAX_PROBLEMS
from ...failure_kinds import FailureKind
from ...finding import Finding
from ...phrasing import as_json
from ..json_schema_errors import ErrorPaths, best_fit, findings, several_fit
from .pieces import Cut, Pieces
from .schema_walk import OverBudgetError, Questions, Work

if TYPE_CHECKING:
    from ....document.path import Path

STEP_LIMIT = 50_000
"""Pieces asked and errors read for one answer, about a second. A union of two models that is wrong at every one of 200
levels takes 2,000."""
_QUOTED = 200
"""Characters of a value in the validator's message of a cut."""

_Question = tuple[str, "Path", Any]
"""A piece, and the value that it is asked of, with the value's path."""
_Work = Work[_Question, list[Finding]]


class Piecewise:
    """The pieces of one schema, ready to be asked."""

    def __init__(self, pieces: Pieces, validator: Callable[[dict[str, Any]], Any], *, quick: bool) -> None:
        """Compile the pieces.

        Args:
            pieces: those of the schema.
            validator: compiles a schema.
            quick: whether `is_valid` may be asked of each piece, so that what holds is not looked into.
        """
        self.pieces = pieces
        self.cut = validator(pieces.cut)
        self.whole = validator(pieces.whole) if quick else None

    def judge(self, data: object) -> Judged:
        """Return what is wrong with an answer."""
        return _Asking(self).judge(data)


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one answer."""

    findings: list[Finding]
    complete: bool
    """False where a bound was reached."""
    steps: int


class _Asking:
    """One answer, asked of the pieces."""

    def __init__(self, schema: Piecewise) -> None:
        self._schema = schema
        self._questions = Questions(self._errors, lambda question: question[:2], STEP_LIMIT)
        self._demanded: set[tuple[str, Path]] = {(schema.pieces.root, ())}
        """Pieces that must hold where they were asked, whatever alternatives say."""
        self._sure: list[Finding] = []
        """What is wrong by those, as far as it was found."""

    def judge(self, data: object) -> Judged:
        """Return what is wrong with the answer; what was found for sure where the steps run out."""
        complete = True
        try:
            found = self._questions.answer((self._schema.pieces.root, (), data))
        except OverBudgetError:
            found, complete = self._sure, False
        return Judged(found[:MAX_PROBLEMS], complete and len(found) <= MAX_PROBLEMS, self._questions.steps)

    def _errors(self, question: _Question) -> _Work:
        """Return what is wrong with a value by one piece."""
        piece, path, value = question
        found: list[Finding] = []
        if self._holds(piece, value):
            return found
        demanded = (piece, path) in self._demanded
        asked = {piece: value}
        paths = ErrorPaths(asked)
        for error in self._schema.cut.iter_errors(asked):
            self._questions.step()
            cut = self._schema.pieces.cut_of(error.kind.as_dict().get("schema")) if error.kind.name == "not" else None
            if cut is None:
                new = _placed(findings(error, self._schema.pieces.cut, paths), path)
            else:
                below = paths.path_of(error)[1:]
                where = (*path, *below)
                passes_on = demanded and cut.keyword == "$ref"
                self._demanded |= {(cut.pieces[0], where)} if passes_on else set()
                new = yield from self._of_cut(cut, where, _at(value, below, error.instance))
            found += new
            self._sure += new if demanded and not (cut and cut.keyword == "$ref") else ()
            if len(found) > MAX_PROBLEMS:
                break
        return found

    def _holds(self, piece: str, value: object) -> bool:
        """Return True where a value keeps a piece; False also where it would take too long to tell."""
        whole = self._schema.whole
        return whole is not None and whole.is_valid({piece: value})

    def _of_cut(self, cut: Cut, path: Path, value: object) -> _Work:
        """Return what is wrong with a value by a keyword that was cut out."""
        if cut.keyword == "$ref":
            return (yield (cut.pieces[0], path, value))
        if cut.keyword == "if":
            broken = yield (cut.pieces[0], path, value)
            return (yield (cut.pieces[2 if broken else 1], path, value))
        if cut.keyword == "not":
            broken = yield (cut.pieces[0], path, value)
            return [] if broken else [_broken("not", path, value, f"{as_json(cut.original)} is not allowed for")]
        if cut.keyword == "contains":
            return (yield from self._contains(cut, path, value))
        return (yield from self._alternatives(cut, path, value))

    def _alternatives(self, cut: Cut, path: Path, value: object) -> _Work:
        """Return what is wrong with a value by the alternative that fits it best; nothing where as many fit as must."""
        if cut.keyword == "anyOf" and any(self._holds(piece, value) for piece in cut.pieces):
            return []
        branches: list[list[Finding]] = []
        for piece in cut.pieces:
            branches.append((yield (piece, path, value)))
            if not branches[-1] and cut.keyword == "anyOf":
                return []
        fitting = sum(not branch for branch in branches)
        if fitting == 1:
            return []
        found = several_fit(path, value, fitting) if fitting else best_fit(branches, path, value)
        message = (
            f"{as_json(value, _QUOTED)} is not valid under any of the schemas listed in the {cut.keyword!r} keyword"
        )
        return [_said(one, cut.keyword, message) for one in found]

    def _contains(self, cut: Cut, path: Path, value: object) -> _Work:
        fitting = 0
        for index, item in enumerate(value if isinstance(value, list) else ()):
            fitting += not (yield (cut.pieces[0], (*path, index), item))
        if not isinstance(value, list) or cut.at_least <= fitting <= cut.at_most:
            return []
        return [_broken("contains", path, value, "the given schema does not fit as many items as it must of")]


def _placed(found: Iterable[Finding], path: Path) -> list[Finding]:
    """Return findings about `{"p1": value}` as findings about the value at a path."""
    return [replace(one, path=(*path, *one.path[1:])) for one in found]


def _said(found: Finding, keyword: str, message: str) -> Finding:
    return found if found.validator_code else replace(found, validator_code=keyword, validator_message=message)


def _broken(keyword: str, path: Path, value: object, words: str) -> Finding:
    got = as_json(value)
    message = f"{keyword} does not hold; got {got}"
    validator_message = f"{words} {as_json(value, _QUOTED)}"
    return Finding(
        "rule", path, message, FailureKind.RULE, actual=got, validator_code=keyword, validator_message=validator_message
    )


def _at(value: Any, path: Path, default: Any) -> Any:
    """Return the part of a value at a path, `default` where the path leads nowhere."""
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return default
    return value
