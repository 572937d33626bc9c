"""What the page of a comparison opens with: names whole, the finding's words, the prompt, the kept runs."""

from dataclasses import replace

from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.forms.html import history_chart
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_axes import prompt_changes
from pytest_planguard.runs.model.judged_answers import Said

from ...support.runs import good, run
from ..forms import render_html
from ..html_reader import Reader
from ..talks import HISTORY, TASKS, key_of, talks_diff, talks_report


def test_a_case_says_what_is_wrong_in_the_findings_own_words():
    """In the list, before it is opened."""
    text = Reader(render_html(talks_report())).text
    wrong = 'priority (line 1, column 14): expected one of "low", "medium", "high"; got "urgent"'
    assert f"fire and nobody knows where the key of the cupboard is] {wrong} steps (line 1, " in text


def test_the_model_is_told_once_where_all_cases_have_it():
    """In the head of the page; a variant of the same name is no second one, and there is no filter for it."""
    page = Reader(render_html(talks_report()))
    assert page.text.count("m-1") == page.text.count("model: m-1") == 1
    assert "m-1 · m-1" not in page.text
    assert "m-1, m-1" not in page.text
    assert [attrs["name"] for tag, attrs in page.tags if tag == "select"] == ["rule"]


def test_two_models_are_two_axes_less_one():
    """A variant that is called as its model says nothing of its own, in no form of the report."""
    diff = compare(run("a", [good("k", model="m1", variant="m1")]), run("b", [good("k", model="m2", variant="m2")]))
    assert [axis.name for axis in diff.axes] == ["model"]
    both = [good("k", model=m, variant=m) for m in ("m1", "m2")]
    assert [case.key for case in compare(run("a", both), run("b", both)).cases] == ["k (m1)", "k (m2)"]


def test_the_prompt_is_shown_as_a_diff_with_the_words_around():
    """Once for all cases that share the change, and not among the other axes again."""
    (change,) = prompt_changes(talks_diff())
    assert change.title == "system message, in 3 of 3 cases"
    assert [(piece.part.value, piece.text) for piece in change.pieces] == [
        ("cut", "…"),
        ("same", "ticket as JSON with priority"),
        ("gone", "(low, medium, high)"),
        ("same", "and"),
        ("gone", "steps."),
        ("new", "steps, and be friendly."),
    ]
    text = Reader(render_html(talks_report())).text
    assert "The prompt changed: system message, in 3 of 3 cases" in text
    assert "prompt (system message" not in text


def test_a_prompt_inside_the_message_of_each_case_is_shown_by_an_example():
    """No two cases share the message; the first one stands for all."""

    def asked(prompt):
        return [good(f"k{n}", asked=(Said("user", f"{prompt} task {n}"),)) for n in range(3)]

    diff = compare(run("a", asked("Write JSON.")), run("b", asked("Write YAML.")))
    (change,) = prompt_changes(diff)
    assert change.title == "user message, for example in k0"


def test_other_inputs_are_no_change_of_the_prompt():
    """What no two cases share is what the test asked."""
    rows = ([good(f"k{n}", asked=(Said("user", f"task {n} {side}{n}"),)) for n in range(3)] for side in "ab")
    assert prompt_changes(compare(*(run(name, side) for name, side in zip("ab", rows, strict=True)))) == ()


def test_the_kept_runs_are_a_chart_with_words():
    """Two and more; each bar says its run, and the whole is told for whoever sees no bars."""
    chart = history_chart(HISTORY)
    assert chart is not None
    assert chart["words"] == "Good cases over the last 3 kept runs, oldest first: 80 %, 100 %, 70 %"
    assert [bar["words"] for bar in chart["bars"]][1] == "run-1, 2026-11-11 10:00: 10 of 10 good (100 %)"
    assert [bar["height"] for bar in chart["bars"]] == [38.4, 48.0, 33.6]
    assert history_chart(HISTORY[:1]) is None
    assert "<svg" not in render_html(DiffReport(talks_diff()))


def test_hostile_names_of_runs_and_prompts_are_text():
    """They stand in the chart, in its label and in the diff of the prompt."""
    evil = '"><script>x()</script>'
    diff = compare(
        run("a", [good("k", asked=(Said(evil, evil),))]), run("b", [good("k", asked=(Said(evil, f"{evil} b"),))])
    )
    page = render_html(DiffReport(diff, history=(*HISTORY, _named(evil))))
    assert evil not in page
    assert page.count("<script>") == 1


def _named(name):
    """A run of that name."""
    return HISTORY[0]._replace(name=name, created=name)


def test_the_address_of_a_case_is_its_whole_name():
    """A long parameter is not cut."""
    assert key_of(TASKS[0]).rpartition("[")[2] in Reader(render_html(talks_report())).text


def test_a_case_that_got_no_words_shows_what_changed():
    """A failure without a finding has a reason all the same."""
    missing = replace(good("k"), result="failed")
    text = Reader(render_html(DiffReport(compare(run("a", [good("k")]), run("b", [missing]))))).text
    assert "new failure k breaks test:failed" in text
