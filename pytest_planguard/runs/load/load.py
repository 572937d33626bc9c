"""Load a run from any source that the user names (a saved run, a file, a folder, a variant), and judge its answers."""

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
    """How to read files that are not run records, and how to judge their answers."""

    contracts: tuple[Contract, ...] = ()
    """The contracts that judge the answers. If (), plain answers stay unjudged and `schemas` judges cassettes."""
    schemas: Callable[[Sequence[Exchange]], tuple[Contract, ...]] | None = None
    """Derives contracts from a cassette's requests when no contract is given. If None, cassettes stay unjudged."""
    answer_field: str | None = None
    """Dotted name of the field that holds a line's answer. If None, planguard finds it."""
    case_field: str | None = None
    """Dotted name of the field that holds a line's case key. If None, planguard finds it."""
    max_attempts: int = 3
    root: Path = Path()
    """The folder that holds the saved runs and the cassettes."""
    known: dict[bytes, CaseRow] = field(default_factory=dict)
    """Maps each line of a record to its parsed row, so that a line in two runs is parsed once."""

    @property
    def reading(self) -> ReadOptions:
        """The options for reading."""
        return ReadOptions(self.answer_field, self.case_field, self.root, self.known)

    @property
    def judges(self) -> Judges:
        """The options for judging."""
        return Judges(self.contracts, self.schemas, self.max_attempts)


def load_run(source: str, options: LoadOptions | None = None, name: str | None = None) -> Run:
    """Load a run.

    Args:
        source: the name of a saved run ("last" is the latest), a run record, a file of answers (.jsonl, one per line),
            a cassette, a single answer, a folder of cassettes or answers, or the name of a variant.
        options: how to read and judge the answers.
        name: the name of the run in reports. The default is the source.

    Raises:
        RunError: nothing has that name, or it has nothing to read. The message lists what planguard looked for.
        UsageError: an option doesn't fit the content of the file.
    """
    options = options or LoadOptions()
    return judge_run(read_run(source, options.reading), options.judges, name or source)


def load_cassettes(folder: str, options: LoadOptions | None = None) -> Run:
    """Load the cassettes of a folder as a run and skip its other files.

    Raises:
        UsageError: an option doesn't fit a cassette.
    """
    options = options or LoadOptions()
    return judge_run(read_cassettes(Source(folder, options.reading)), options.judges, folder)


def read_run(name: str, options: ReadOptions | None = None) -> RawRun:
    """Read the cases of a run without judging them. Sources and errors are those of `load_run`."""
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
