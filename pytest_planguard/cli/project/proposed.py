"""`planguard init --from`: a contract and a first test from example answers, or what further examples contradict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import RunError, UsageError
from ...report.media.sanitise import one_line
from ...strength.proposal import contradictions, propose
from ..inputs.contracts import load_contracts
from ..inputs.recorded_answers import example_answers
from ..output import say
from .new_files import NewFile, write_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...strength.evidence import GoodAnswer

PROPOSED = Path("answer_contract.py")
"""Where a proposed contract is written, unless --to names another file."""
LINE = 200
"""Characters of a contradiction: its message quotes an answer."""


def propose_from(paths: Sequence[Path], target: Path, field: str | None) -> None:
    """Write a proposed contract and its first test; where the module is there, say what the examples contradict.

    Raises:
        UsageError: no example is data, the module's name is no Python name, or the module has no CONTRACT.
        RunError: a file cannot be read or written.
    """
    if target.suffix != ".py" or not target.stem.isidentifier():
        raise UsageError(
            f"--to is no Python module: got {target}; name a file like {target.stem or 'answer'}_contract.py"
        )
    try:
        answers = example_answers(paths, field)
    except OSError as error:
        raise RunError(f"an example cannot be read: got {error}; check the path and its rights") from error
    if target.is_file():
        _compare(answers, target)
        return
    proposal = propose(answers, target.stem)
    write_all([NewFile(target, proposal.module), NewFile(target.with_name(f"test_{target.name}"), proposal.test)])
    say(f"proposed from {_examples(answers)}")
    say(f"next: pytest {target.with_name(f'test_{target.name}').as_posix()}")


def _compare(answers: Sequence[GoodAnswer], target: Path) -> None:
    (contract,) = load_contracts((f"{target.as_posix()}:CONTRACT",))
    lines = contradictions(contract, answers)
    verb = "contradict" if len(answers) != 1 else "contradicts"
    say(f"{target.as_posix()}: is there already; {_examples(answers)} {verb} {_rules(len(lines))}")
    for line in lines:
        say(f"  {one_line(line, LINE)}")
    click.get_current_context().exit(1 if lines else 0)


def _examples(answers: Sequence[GoodAnswer]) -> str:
    return "1 example" if len(answers) == 1 else f"{len(answers)} examples"


def _rules(number: int) -> str:
    return "nothing" if not number else "1 rule" if number == 1 else f"{number} rules"
