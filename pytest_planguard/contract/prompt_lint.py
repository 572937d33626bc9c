"""What keeps a prompt template from passing feedback on: variables that it lacks or misspells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .prompt_variables import VARIABLES, lack, named_variables
from .wording import nearest

_ANY = re.compile(r"\$\{?([A-Za-z_]{4,40})\b")
_BARE = re.compile(rf"(?<![\w$])(?<!\$\{{)({'|'.join(VARIABLES)})\b")


@dataclass(frozen=True, slots=True)
class PromptFault:
    """One thing wrong with a prompt template."""

    message: str
    line: int | None = None
    """From 1; None for what stands nowhere."""

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


def lint_prompt(template: str) -> tuple[PromptFault, ...]:
    """What keeps a prompt template from passing feedback on, by its place; () for a good one.

    A variable counts as lacking wherever it is not named as `$NAME` or `${NAME}`: nothing else is ever filled in.
    """
    named = named_variables(template)
    written = sorted([*_misspelt(template, named), *_bare(template, named)])
    wrong = [PromptFault(message, template.count("\n", 0, at) + 1) for at, message in written]
    return (*wrong, *(PromptFault(lack(name)) for name in VARIABLES if name not in named))


def _misspelt(template: str, named: set[str]) -> Iterator[tuple[int, str]]:
    """The first place of each name that resembles a variable which the template lacks; any other is the app's own."""
    first = {found[1]: found.start() for found in reversed(list(_ANY.finditer(template))) if found[1] not in VARIABLES}
    for name, at in first.items():
        near = nearest(name, VARIABLES)
        if near is not None and near not in named:
            yield at, f"${name} is no variable; did you mean ${near}?"


def _bare(template: str, named: set[str]) -> Iterator[tuple[int, str]]:
    """The first place of a name without its sign, as other template languages write it."""
    first = {found[1]: found.start() for found in reversed(list(_BARE.finditer(template)))}
    for name, at in first.items():
        if name not in named:
            yield at, f"{name} stands without its sign and is not filled in; write ${name}"
