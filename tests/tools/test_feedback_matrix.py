"""How the trials of tools/feedback_matrix are built: the draw, the split, and what a text is taken to say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pytest_planguard import Contract
from tools.feedback_matrix import drawn_trials, phrases, redraw, wordings
from tools.feedback_matrix.documents import documents, faults, limit_of, neighbours, schema_at
from tools.feedback_matrix.draw import SHARE, drawn, order, pool
from tools.feedback_matrix.drawn.catalogues import fill
from tools.feedback_matrix.measure import all_trials, count, main
from tools.feedback_matrix.recordings import ENVELOPES, write_recording
from tools.feedback_matrix.split import held_out
from tools.feedback_matrix.trial import Trial, Unsaid

from ..retry.reading.wordings.documents import as_model, broken

EVERY = [(document, fault) for document in documents() for fault in faults(document)]


def contract(document: str) -> Contract:
    """Return a document's contract, for whole answers."""
    one = documents()[document]
    return Contract(as_model(one["schema"]) if one["contract"] == "pydantic" else one["schema"], extract="whole")


def test_draw_takes_the_first_of_each_kind_that_are_not_excluded() -> None:
    """An exclusion brings in the next in the drawn order and moves no other."""
    for kind, candidates in pool().items():
        names = [one["name"] for one in order(candidates, kind)]
        taken = [one["name"] for one in drawn()[kind]]
        left_out = [one["name"] for one in candidates if "excluded" in one]
        assert taken == [name for name in names if name not in left_out][: SHARE[kind]]


def test_draw_is_large_and_its_pool_larger() -> None:
    """30 of at least 45 candidates are drawn."""
    assert sum(map(len, pool().values())) >= 45
    assert sum(map(len, drawn().values())) == 30


def test_order_is_settled_by_the_committed_seed() -> None:
    """Another seed, or another generator, would be another draw."""
    assert [one["name"] for one in order(pool()["node"], "node")][:3] == ["tv4", "schema-utils", "cfworker"]


def test_second_draw_takes_what_the_first_left_over() -> None:
    """No catalogue is drawn twice, and the order is settled by the committed seed."""
    first = {one["name"] for one in drawn()["catalogue"]}
    assert sorted(redraw.order()) == sorted(redraw.READERS)
    assert not first & redraw.READERS.keys()
    assert redraw.order()[:2] == ["parsley", "vee-validate"]


def test_phrases_about_limits_that_were_seen_are_not_held_out() -> None:
    """Their held-out third was in view of whoever fixed the readers: it counts no more."""
    seen = {f"phrase {text}" for rule in redraw.SEEN_RULES for text in phrases.phrases()[rule]}
    assert not [one.unit for one in phrases.trials() if one.held_out and one.unit in seen]


def test_split_holds_out_a_third_of_all_units() -> None:
    """The hash spreads evenly."""
    units = [f"unit {number}" for number in range(3000)]
    assert 900 < sum(map(held_out, units)) < 1100


@pytest.mark.parametrize(("unit", "expected"), [("formkit", True), ("tv4", False), ("wtforms", False)])
def test_split_is_settled_by_the_unit_alone(unit: str, expected: bool) -> None:
    """The split is pinned: what was held out stays held out."""
    assert held_out(unit) is expected


@pytest.mark.parametrize("document", documents())
def test_good_answer_holds(document: str) -> None:
    """A good answer with a finding of its own would blur every trial."""
    assert contract(document).check(json.dumps(documents()[document]["good"])).ok


@pytest.mark.parametrize(("document", "fault"), EVERY)
def test_fault_is_one_finding_at_its_path(document: str, fault: str) -> None:
    """Truth by construction: each way to break a document breaks that place and nothing else."""
    verdict = contract(document).check(json.dumps(broken(documents()[document], [fault])))
    assert [list(one.path) for one in verdict.findings] == [faults(document)[fault]["path"]]


def test_limit_is_the_one_that_the_fault_breaks() -> None:
    """An exclusive limit counts too; a choice has none."""
    assert limit_of("booking", faults("booking")["nights high"]) == 28
    assert limit_of("booking", faults("booking")["deposit low"]) == 0
    assert limit_of("booking", faults("booking")["room enum"]) is None


def test_neighbours_are_the_other_items() -> None:
    """Only items that the good answer has are neighbours."""
    fault = faults("booking")["age 1 high"]
    assert neighbours("booking", fault) == [["guests", 0, "age"], ["guests", 2, "age"]]


@pytest.mark.parametrize("built", [phrases.trials, wordings.trials])
def test_trial_says_faults_of_its_answer_and_names_the_kind_of_the_others(built: object) -> None:
    """What is said is part of the answer, and what is not said has a kind."""
    assert callable(built)
    for trial in built():
        assert set(trial.said) <= set(trial.answer)
        assert (trial.kind is None) == (set(trial.said) == set(trial.answer))
        assert trial.envelope in ENVELOPES


def test_phrases_are_many_and_each_has_opposites() -> None:
    """At least 200 phrases say their fault, and as many texts are sent after another one."""
    trials = list(phrases.trials())
    assert sum(trial.kind is None for trial in trials) >= 200
    opposed = {trial.text for trial in trials if trial.kind not in (None, Unsaid.PARTIAL)}
    assert len(opposed) >= 200


def test_other_kinds_are_what_they_are_called() -> None:
    """Only a fault in a list is in another item."""
    for trial in phrases.trials():
        if trial.kind is Unsaid.OTHER_ITEM:
            (name,) = trial.answer
            assert any(isinstance(step, int) for step in faults(trial.document)[name]["path"])


def test_phrase_names_the_field_by_name_or_path() -> None:
    """A path is spelt in full; a name loses its underscores."""
    fault = faults("booking")["age 1 high"]
    template = "{f} may not be greater than {l}"
    assert phrases.words(template, "by path", "booking", fault) == "`guests[1].age` may not be greater than 120"
    floor = faults("shipment")["full name short"]
    assert phrases.words("{f} not long enough", "by name", "shipment", floor) == "full name not long enough"


def test_phrase_lists_choices() -> None:
    """Choices are listed as a sentence lists them."""
    fault = faults("booking")["room enum"]
    said = phrases.words("{f} must be one of {values}, not {v}", "by name", "booking", fault)
    assert said == "room must be one of single, double or suite, not penthouse"


def test_wordings_are_in_five_languages() -> None:
    """At least 24 wordings stand in five languages."""
    languages = Counter(one["language"] for one in wordings.wordings())
    assert len(wordings.wordings()) >= 24
    assert set(languages) == {"en", "de", "es", "fr", "zh"}


def test_wording_says_faults_of_its_document() -> None:
    """A misspelt fault would be a fault that no answer has."""
    for one in wordings.wordings():
        assert set(one["faults"]) <= set(faults(one["document"])), one["id"]


TEXTS = {
    "nights high": "nights must be at most 28",
    "nights low": "nights must be at least 1",
    "nights type": "nights: Invalid value",
    "age 1 high": "age must be at most 120",
    "age 1 high ~0": "age must be at most 120",
    "age 0 high": "guests[0].age must be at most 120",
    "age 0 high ~0": "guests[1].age must be at most 120",
    "deposit high": "must be at most 900",
    "nights high + deposit high": "nights must be at most 28",
    "nights high + age 0 high": "nights must be at most 28; guests[0].age must be at most 120",
}


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        pytest.param("nights high", True, id="names field and rule"),
        pytest.param("age 1 high", False, id="the same for another item"),
        pytest.param("age 0 high", True, id="names the item"),
        pytest.param("deposit high", False, id="does not name the field"),
    ],
)
def test_text_tells_its_fault(fault: str, expected: bool) -> None:
    """A text that could be about another item, or names no field, is no evidence."""
    assert drawn_trials.tells(TEXTS, "booking", faults("booking")[fault]) is expected


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        pytest.param("nights must be at most 28", "nights low", False, id="opposite limit"),
        pytest.param("nights must be between 1 and 28", "nights low", True, id="range"),
        pytest.param("nights is invalid", "nights type", True, id="invalid and no more"),
        pytest.param("nights must be at most 28", "deposit high", False, id="other field"),
    ],
)
def test_text_may_say_another_fault(text: str, other: str, expected: bool) -> None:
    """Where a text may say the other fault as well, no truth is known."""
    ways = faults("booking")
    assert drawn_trials.may_say({"nights high": text}, "booking", ways["nights high"], ways[other]) is expected


def test_text_about_two_faults_says_what_it_adds() -> None:
    """A validator that stops at the first fault says only that one."""
    assert drawn_trials.said_of_two(TEXTS, "nights high", "deposit high") == ("nights high",)
    assert drawn_trials.said_of_two(TEXTS, "nights high", "age 0 high") == ("nights high", "age 0 high")


def test_template_keeps_the_braces_of_a_pattern() -> None:
    """A pattern's own braces are no placeholder."""
    assert fill(r"{field} must match {pattern}", {"field": "zip", "pattern": r"\d{5}"}) == r"zip must match \d{5}"


def test_schema_of_a_field_that_is_not_known_is_empty() -> None:
    """An extra field has no rules."""
    assert schema_at("booking", ["vip"]) == {}


def trial(*, said: tuple[str, ...], kind: Unsaid | None, envelope: str = "turn") -> Trial:
    """Return a trial of an answer with two faults."""
    return Trial("g", "u", "en", envelope, "booking", ("nights high", "room enum"), "nights: max 28", said, kind)


def test_figures_count_what_is_said_and_what_is_not() -> None:
    """Each finding is counted once, on the side where it belongs."""
    one = trial(said=("nights high",), kind=Unsaid.PARTIAL)
    figures = count(one, {"nights high": "weak", "room enum": "lost"})
    assert figures == {"trials": 1, "said": 1, "said: carried": 1, "partial": 1, "partial: lost": 1}


@pytest.mark.parametrize("grade", ["placed", "unread", "lost"])
def test_grades_below_carried_are_counted_by_their_name(grade: str) -> None:
    """Grades that the judge does not have yet need no change here."""
    figures = count(trial(said=("nights high", "room enum"), kind=None), {"nights high": grade, "room enum": grade})
    assert figures == {"trials": 1, "said": 2, f"said: {grade}": 2}


@pytest.mark.parametrize("envelope", ENVELOPES)
def test_recording_has_the_text_in_its_second_request_only(envelope: str, tmp_path: Path) -> None:
    """A text in the first request would not be new to the model."""
    write_recording(tmp_path / "one.json", trial(said=("nights high",), kind=Unsaid.PARTIAL, envelope=envelope))
    first, second = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))["interactions"]
    assert "max 28" not in first["request"]["body"]
    assert "max 28" in second["request"]["body"]


def test_final_prints_totals_and_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Held-out texts stay unseen: totals of each group are all that is printed and written."""
    nowhere, output = tmp_path / "none.json", tmp_path / "figures.json"
    options = ["--final", "--at-most", "4", "--examples", "9", "--texts", str(nowhere), "--output", str(output)]
    monkeypatch.setattr("sys.argv", ["measure", *options])
    main()
    printed = capsys.readouterr().out
    written = json.loads(output.read_text(encoding="utf-8"))
    assert {row for rows in written["groups"].values() for row in rows} == {"all"}
    assert "## everyday phrases" in printed
    assert not any(trial.text in printed + output.read_text() for trial in all_trials(nowhere))
