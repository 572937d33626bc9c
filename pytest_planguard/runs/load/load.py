"""A run from what the user names: a kept run, a file, a folder, a variant. Reading comes first, then judging."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import RunError, nearest
from ..judge_cases import Judges, judge_run
from ..model.raw_case import problem_lines
from ..store.store import Store
from ..store.variants import variant_names
from ..store.whole_files import SUFFIXES
from .formats import read_cassettes, read_source
from .source import ReadOptions, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...contract import Contract
    from ...wire.exchange import Exchange
    from ..model.raw_case import RawRun
    from ..model.run import CaseRow, Run


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How files that are no run records are read, and what judges their answers."""

    contracts: tuple[Contract, ...] = ()
    """Judge the answers; () leaves plain answers unjudged and cassettes to `schemas`."""
    schemas: Callable[[Sequence[Exchange]], tuple[Contract, ...]] | None = None
    """Makes contracts from the requests of a cassette where none was named; None: then nothing judges it."""
    answer_field: str | None = None
    """Dotted name of the field of a line that holds the answer; None finds it."""
    case_field: str | None = None
    """Dotted name of the field of a line that is the case key; None finds it."""
    max_attempts: int = 3
    root: Path = Path()
    """The folder with the kept runs and cassettes."""
    known: dict[bytes, CaseRow] = field(default_factory=dict)
    """Rows of records by their line: a line that two runs share is read once."""

    @property
    def reading(self) -> ReadOptions:
        """The options of reading."""
        return ReadOptions(self.answer_field, self.case_field, self.root, self.known)

    @property
    def judges(self) -> Judges:
        """The options of judging."""
        return Judges(self.contracts, self.schemas, self.max_attempts)


def load_run(source: str, options: LoadOptions | None = None, name: str | None = None) -> Run:
    """Load a run.

    Args:
        source: the name of a kept run ("last" is the last one), a run record, a file of answers (.jsonl, one a line),
            a cassette, a single answer, a folder of cassettes or answers, or the name of a variant.
        options: how answers are judged and read.
        name: how the run is called in reports; the source by default.

    Raises:
        RunError: there is nothing of that name, or nothing to read in it; the message says what was looked for.
        UsageError: an option does not fit what is in the file.
    """
    options = options or LoadOptions()
    return judge_run(read_run(source, options.reading), options.judges, name or source)


def load_cassettes(folder: str, options: LoadOptions | None = None) -> Run:
    """Load the cassettes of a folder as a run; other files in it are passed over.

    Raises:
        UsageError: an option does not fit a cassette.
    """
    options = options or LoadOptions()
    return judge_run(read_cassettes(Source(folder, options.reading)), options.judges, folder)


def read_run(name: str, options: ReadOptions | None = None) -> RawRun:
    """Read the cases of a run, judged by nothing yet. Sources and errors as for `load_run`."""
    options = options or ReadOptions()
    raw = read_source(Source(name, options))
    if raw is None:
        raise RunError(_nothing(name, Store(options.root), options.root))
    if not raw.cases and raw.header is None:
        lines = problem_lines(raw.problems)
        why = lines[0] if lines else f"no cassette and no answer; looked for {', '.join(SUFFIXES)}"
        raise RunError(f"{Path(name)}: {why}")
    return raw


def _nothing(source: str, store: Store, root: Path) -> str:
    kept, variants = store.names(), variant_names(root)
    near = nearest(source, [*kept, *variants])
    hint = f" Did you mean {near!r}?" if near else ""
    return (
        f"{source!r} is not a file, folder, kept run or variant.{hint} Kept runs: {', '.join(kept) or 'none'}; "
        f"variants: {', '.join(variants) or 'none'}. Keep a run with pytest --planguard-save NAME."
    )
