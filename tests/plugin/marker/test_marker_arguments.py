"""The bounds of a marker's arguments: the first and the last value that is taken, and the next one that is not."""

from __future__ import annotations

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.plan_search.step import SearchConfig
from pytest_planguard.plugin.marker.marker_arguments import ARGUMENTS, read_arguments

from ...support.one_item import in_one_item

FROM_1 = "expected a whole number of at least 1"
SHARE = "expected a share above 0 and at most 1"
TEXT = "expected a non-empty text"
FOLDER = "expected the name of a folder, without a path"
WORDS = "expected a list of words, for example ['volatile', 'meta.duration_s']"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_attempts", 1),
        ("samples", 1),
        ("min_pass_rate", 0.001),
        ("min_pass_rate", 1),
        ("min_pass_rate", 1.0),
        ("variant", "gpt-4.1"),
        ("max_age", "1h"),
        ("key", str),
        ("redact", ("volatile",)),
    ],
)
def test_a_value_at_the_bound_is_taken(name: str, value: object) -> None:
    """One attempt, one sample and a rate of 1 are bounds, and allowed."""
    read_arguments({name: value})


@in_one_item
@pytest.mark.parametrize(
    ("name", "value", "needed"),
    [
        ("max_attempts", 0, f"{FROM_1}, counting the first attempt"),
        ("max_attempts", True, f"{FROM_1}, counting the first attempt"),
        ("max_attempts", 2.0, f"{FROM_1}, counting the first attempt"),
        ("samples", 0, FROM_1),
        ("samples", True, FROM_1),
        ("min_pass_rate", 0, SHARE),
        ("min_pass_rate", 1.001, SHARE),
        ("min_pass_rate", True, SHARE),
        ("min_pass_rate", float("nan"), SHARE),
        ("min_pass_rate", "0.5", SHARE),
        ("cassette", "", TEXT),
        ("key", " ", TEXT),
        ("copy_check", 1, "expected True or False"),
        ("variant", ".hidden", FOLDER),
        ("variant", "up/down", FOLDER),
        ("redact", "volatile", WORDS),
        ("redact", ["volatile", " "], WORDS),
    ],
)
def test_a_value_beyond_the_bound_is_refused(name: str, value: object, needed: str) -> None:
    """True is no number, although Python counts with it: `max_attempts=True` is a slip of the pen."""
    with pytest.raises(UsageError) as error:
        read_arguments({name: value})
    assert str(error.value) == f"{name}={value!r}: {needed}"


BUDGET = SearchConfig(max_total_calls=10)


@in_one_item
@pytest.mark.parametrize(
    ("name", "value", "read"),
    [
        ("mode", "driven", "driven"),
        ("contract_from", "app.schema", "app.schema"),
        ("match", "ordered", "ordered"),
        ("cassette", "a.yaml", "a.yaml"),
        ("key", "{id}", "{id}"),
        ("inputs", ["anything"], ["anything"]),
        ("must_feed_back", "contract", "contract"),
        ("coverage", "first", "first"),
        ("weakest", "located", "located"),
        ("known_wordings", False, False),
        ("copy_check", True, True),
        ("escalates", "human", ("human",)),
        ("escalates", ["human", "manager"], ("human", "manager")),
        ("variant", "gpt-4.1", "gpt-4.1"),
        ("models", ["a", "b"], ("a", "b")),
        ("cases", "cases.jsonl", "cases.jsonl"),
        ("min_score", 0, 0.0),
        ("min_score", 1, 1.0),
        ("max_age", "12h", "12h"),
        ("checks", {"clean": "fail", "feedback": "warn"}, {"clean": "fail", "feedback": "warn"}),
        ("redact", ["volatile"], ("volatile",)),
        ("endpoint", True, True),
        ("commands", "claude", ("claude",)),
        ("commands", ["python3.12", "g++"], ("python3.12", "g++")),
        ("tape_files", "docs/*.md", ("docs/*.md",)),
        ("tape_environment", ["LANG", "TZ"], ("LANG", "TZ")),
        ("search", BUDGET, BUDGET),
        ("task", "tickets", "tickets"),
        ("prove", False, False),
    ],
)
def test_what_is_read(name: str, value: object, read: object) -> None:
    """One word stands for a list of one, and a number for a share."""
    found = read_arguments({name: value})
    assert found == {name: read}
    assert type(found[name]) is type(read)


MODELS = 'expected a list of names, for example ["gpt-5-mini", "claude-haiku-4-5"]'
CHECKS = "feedback, stops, valid, agreed, fresh, addressed, clean, bounded, shrinking, task_kept, accounted, copied"
PROGRAMS = "expected names of programs without a path, for example commands='claude'"


@in_one_item
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("mode", "drvien", "mode='drvien'. Did you mean 'driven'? Known: observed, driven, check"),
        ("match", "x", "match='x'. Known: gated, strict, ordered, lenient"),
        ("must_feed_back", 1, "must_feed_back=1. Known: app, contract"),
        ("coverage", "al", "coverage='al'. Did you mean 'all'? Known: all, first, any"),
        ("weakest", "x", "weakest='x'. Known: verbatim, located, weak"),
        ("escalates", 1, f"escalates=1: {WORDS}"),
        ("escalates", "", f"escalates='': {TEXT}"),
        ("min_score", 1.01, "min_score=1.01: expected a score from 0 to 1"),
        ("min_score", -0.01, "min_score=-0.01: expected a score from 0 to 1"),
        ("min_score", True, "min_score=True: expected a score from 0 to 1"),
        (
            "max_age",
            "soon",
            "max_age=an age is a number of hours, days or weeks: got 'soon'; write 12h, 90d or 8w, for example",
        ),
        ("checks", "clean", "checks='clean': expected a dict, for example {'clean': 'fail'}"),
        (
            "checks",
            {"claen": "fail"},
            f"checks has no check 'claen'. Did you mean 'clean'? Known: {CHECKS}",
        ),
        (
            "checks",
            {"clean": "fial"},
            "checks['clean'] = 'fial'. Did you mean 'fail'? Known: warn, fail, not applicable",
        ),
        ("search", 10, "search=10: expected budgets, for example SearchConfig(max_total_calls=10)"),
        ("commands", "/bin/sh", f"commands='/bin/sh': {PROGRAMS}"),
        ("commands", ["ok", 1], f"commands=['ok', 1]: {PROGRAMS}"),
        ("commands", 1, f"commands=1: {PROGRAMS}"),
        ("commands", "x" * 65, f"commands='{'x' * 65}': {PROGRAMS}"),
        ("models", [], f"models=[]: {MODELS}"),
        ("models", "gpt", f"models='gpt': {MODELS}"),
        ("models", ["gpt", " "], "models=['gpt', ' ']: each model must be a non-empty text"),
        ("models", ["a", "a"], "models=['a', 'a']: 'a' and 'a' would share a folder of cassettes"),
        ("variant", "a:b", f"variant='a:b': {FOLDER}"),
        ("variant", "a\\b", f"variant='a\\\\b': {FOLDER}"),
        ("modle", "x", "no argument 'modle'. Did you mean 'mode'? Known: " + ", ".join(ARGUMENTS)),
    ],
)
def test_what_is_refused(name: str, value: object, said: str) -> None:
    """The message repeats the value, and says what is expected or what was meant."""
    with pytest.raises(UsageError) as error:
        read_arguments({name: value})
    assert str(error.value) == said
