"""What changed in the prompt: told by what the cases share, whatever their messages look like."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.runs.compare.classification import CasePair
from pytest_planguard.runs.compare.run_axes import EDITS_SHOWN, NOTHING, UNKNOWN, axes_of, prompt_axes
from pytest_planguard.runs.compare.run_diff import Axis
from pytest_planguard.runs.model.judged_answers import Said
from pytest_planguard.runs.model.run import Run

from ...support.runs import good, run

TASKS = ("the printer is on fire", "no paper", "a stubborn mule")
Request = tuple[Said, ...]


def user(text: str) -> Request:
    """A request of one user message."""
    return (Said("user", text),)


def pair(key: str, before: Request, after: Request) -> CasePair:
    """A case on both sides with its first request."""
    return CasePair(key, (replace(good(key), asked=before),), (replace(good(key), asked=after),))


def axes(*pairs: CasePair) -> list[tuple[str, str, str]]:
    """Name, before and after of each axis."""
    return [(axis.name, axis.before[0], axis.after[0]) for axis in prompt_axes(pairs)]


def test_a_template_in_one_user_message_is_a_prompt() -> None:
    """The words around the task changed in the same way in each case; the task itself is no change."""
    pairs = [pair(task, user(f"Ticket as JSON: {task}"), user(f"Write a ticket as JSON: {task}")) for task in TASKS]
    assert axes(*pairs) == [
        ("prompt (user message, 3 of 3 cases)", "“Ticket”", "“Write a ticket”"),
    ]


def test_a_single_case_shows_its_prompt_whole() -> None:
    """Whatever subset of the tests ran."""
    found = axes(pair("a", user("Ticket as JSON: p"), user("JSON ticket: p")))
    assert [name for name, _, _ in found] == ["prompt (user message, 1 of 1 case)"] * len(found)
    assert found


def test_what_one_case_alone_has_is_an_input() -> None:
    """The task of one case was reworded: no change of the prompt."""
    same = [pair(task, user(f"Ticket: {task}"), user(f"Ticket: {task}")) for task in TASKS]
    assert axes(*same, pair("d", user("Ticket: a mule"), user("Ticket: a donkey"))) == []


def test_a_new_system_message_stands_before_the_others() -> None:
    """It is added; the user's messages are compared with each other."""
    system = (Said("system", "Be brief."),)
    pairs = [pair(task, user(task), (*system, *user(task))) for task in TASKS]
    assert axes(*pairs) == [("prompt (system message, 3 of 3 cases)", NOTHING, "“Be brief.”")]
    back = [CasePair(found.key, found.candidate, found.base) for found in pairs]
    assert axes(*back) == [("prompt (system message, 3 of 3 cases)", "“Be brief.”", NOTHING)]


def test_two_changes_are_two_and_many_are_counted() -> None:
    """Those of most cases first."""
    pairs = [pair(task, user(f"Old words: {task}. End"), user(f"New words: {task}. Stop")) for task in TASKS]
    assert [(before, after) for _, before, after in axes(*pairs)] == [("“End”", "“Stop”"), ("“Old”", "“New”")]
    words = [f"w{number} same{number}" for number in range(EDITS_SHOWN + 3)]
    many = [
        pair(task, user(" ".join(words)), user(" ".join(word.replace("w", "v") for word in words))) for task in TASKS
    ]
    found = [*prompt_axes(many)]
    assert (len(found), found[-1]) == (EDITS_SHOWN + 1, Axis("prompt, further changes", (), ("3",)))


def test_long_words_are_cut() -> None:
    """120 characters are shown whole; of more, the last one shown is an ellipsis."""
    for length, shown in ((119, f"{'x' * 119}:"), (120, f"{'x' * 119}…")):
        found = axes(*(pair(task, user(f"Do: {task}"), user(f"{'x' * length}: {task}")) for task in TASKS))
        assert found[0][1:] == ("“Do:”", f"“{shown}”")


def test_rows_of_an_earlier_planguard_say_unknown() -> None:
    """Their first request was not kept, so nothing is claimed; two such runs differ in nothing that is known."""
    assert axes(pair("a", (), user("x"))) == [("prompt", UNKNOWN, "known")]
    assert axes(pair("a", (), ())) == []
    assert axes(pair("a", user("x"), ())) == [("prompt", "known", UNKNOWN)]
    assert axes(pair("a", (), user("x")), pair("b", user("x"), user("x"))) == []


def test_a_case_of_one_run_alone_says_nothing_of_the_prompt() -> None:
    """There is no other request to compare its own with, so nothing is unknown either."""
    one = pair("a", user("x"), user("x"))
    assert axes(CasePair("a", one.base), CasePair("b", (), one.candidate)) == []


def run_axes(before: Run, after: Run) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """The axes of two runs."""
    return [(axis.name, axis.before, axis.after) for axis in axes_of(before, after)]


def test_the_axes_of_two_runs_come_in_their_order() -> None:
    """Those that differ, with all values sorted; a package that only one run lists was not needed by the other."""
    one = replace(good("a", model="m1"), variant="v1", contracts=(("T", "1" * 12),))
    two = replace(good("b", model="m2"), variant="v1", contracts=(("", "2" * 12),))
    before = run("a", [two, one], match="gated", commit="c" * 14, packages={"p": "1", "q": "1", "old": "1"})
    after = run(
        "b",
        [replace(one, variant="v2", model=None)],
        match="strict",
        commit="d" * 14,
        dirty=True,
        packages={"p": "2", "q": "1", "new": "1"},
    )
    assert run_axes(before, after) == [
        ("model", ("m1", "m2"), ()),
        ("variant", ("v1",), ("v2",)),
        ("contract", ("2" * 12, "T " + "1" * 12), ("T " + "1" * 12,)),
        ("match", ("gated",), ("strict",)),
        ("commit", ("c" * 12,), ("d" * 12 + " with uncommitted changes",)),
        ("p", ("1",), ("2",)),
    ]
    assert run_axes(before, before) == []


def test_variants_that_are_named_after_models_are_one_axis() -> None:
    """`models=[...]` does that."""
    old, new = (run(name, [replace(good("a", model=name), variant=name)]) for name in ("m1", "m2"))
    assert run_axes(old, new) == [("model", ("m1",), ("m2",))]


def test_many_contracts_are_counted() -> None:
    """Three are listed; of more, it counts how many both runs have."""

    def judged_by(*digests: str) -> Run:
        return run("a", [replace(good("a"), contracts=tuple(("T", digest) for digest in digests))])

    assert run_axes(judged_by(*"abc"), judged_by("d")) == [("contract", ("T a", "T b", "T c"), ("T d",))]
    assert run_axes(judged_by(*"abcd"), judged_by(*"cde")) == [
        ("contract", ("4 different ones, 2 of them also now",), ("3 different ones, 2 of them also before",))
    ]
    assert run_axes(judged_by(*"abcd"), judged_by(*"dcba")) == []


REQUESTS = st.lists(st.builds(Said, st.sampled_from(["system", "user"]), st.text(max_size=20)), max_size=3).map(tuple)


@given(st.lists(st.tuples(REQUESTS, REQUESTS), max_size=4))
def test_swapped_runs_swap_their_axes(requests: list[tuple[Request, Request]]) -> None:
    """Equal requests differ in nothing, and the mirrored comparison has the mirrored axes."""
    pairs = [pair(str(number), before, after) for number, (before, after) in enumerate(requests)]
    assert [*prompt_axes(pair(str(n), before, before) for n, (before, _) in enumerate(requests))] == []
    back = [CasePair(found.key, found.candidate, found.base) for found in pairs]
    assert len([*prompt_axes(pairs)]) == len([*prompt_axes(back)])
