"""Cassettes as rows: what they tell beside the answers."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from pytest_planguard import Contract
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.gate.gate import Budgets, FailOn, gate
from pytest_planguard.runs.load.load import load_run
from pytest_planguard.runs.load.source import LoadOptions
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.wire.exchange import LATENCY_HEADER

from ...support.exchanges import assistant, chat, user, write


def folder(path: Path, *seconds: str | None) -> Path:
    """A cassette of one conversation: a bad answer, a good one; a latency for each, None where it has none."""
    path.mkdir()
    messages = [user("Who?")]
    exchanges = []
    for text, known in zip(('{"name": 1}', '{"name": "Ann"}'), seconds, strict=True):
        one = chat(messages, text)
        headers = one.response_headers if known is None else ((LATENCY_HEADER, (known,)),)
        exchanges.append(replace(one, response_headers=headers))
        messages = [*messages, assistant(text), user("name: expected string; got 1")]
    write(path / "who.yaml", *exchanges)
    return path


def loaded(path: Path, contract: Contract) -> CaseRow:
    """The one row of a folder."""
    (row,) = load_run(str(path), LoadOptions((contract,))).rows
    return row


def test_latency_comes_from_the_recording_and_is_compared(tmp_path: Path) -> None:
    """Attempt by attempt and together; the report of two folders has it, and a limit on it can fail."""
    contract = Contract({"type": "object", "properties": {"name": {"type": "string"}}}, name="Who")
    base, now = folder(tmp_path / "a", "1.500", "0.500"), folder(tmp_path / "b", "2.000", "1.000")
    row = loaded(base, contract)
    assert ([attempt.latency_s for attempt in row.judged[0].attempts], row.latency_s) == ([1.5, 0.5], 2.0)
    before, after = (load_run(str(path), LoadOptions((contract,))) for path in (base, now))
    found = compare(before, after)
    figure = next(figure for figure in found.figures if figure.name == "recorded latency")
    assert (figure.before, figure.after, figure.cases) == (2.0, 3.0, 1)
    result = gate(found, {FailOn.NONE}, date(2026, 1, 1), budgets=Budgets(latency=0.2))
    assert result.reasons == ("latency: +50.0%, and at most +20.0% is allowed",)


def test_a_row_counts_the_exchanges_of_its_recording(tmp_path: Path) -> None:
    """A cassette that has become shorter can be seen without the file."""
    assert loaded(folder(tmp_path / "a", None, None), Contract(dict)).exchanges == 2


def test_a_part_of_the_latency_is_not_all_of_it(tmp_path: Path) -> None:
    """One exchange that does not tell makes the case's unknown, and a limit that finds nothing to look at fails."""
    contract = Contract({"type": "object"}, name="Who")
    row = loaded(folder(tmp_path / "a", "1.500", None), contract)
    assert ([attempt.latency_s for attempt in row.judged[0].attempts], row.latency_s) == ([1.5, None], None)
