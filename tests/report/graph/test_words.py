"""The words in the picture of a plan: names, titles, remarks, and what is left out."""

from __future__ import annotations

import re

import pytest

from pytest_planguard.document.positions import Span
from pytest_planguard.plans.plan import Edge, Place, Plan, Ref, Task
from pytest_planguard.plans.plan_graph import PlanGraph, graph_of
from pytest_planguard.report.plan_picture import draw_graph, headline, label, remarks, sketch


def task(name: str, *waits: str, title: str = "", files: tuple[str, ...] = (), parent: str | None = None) -> Task:
    """A task that waits for others."""
    edges = tuple(Edge(one, one) for one in waits)
    return Task(name, name, title, edges=edges, files=tuple(map(Ref, files)), parent=parent)


def graph(*tasks: Task, title: str = "Login") -> PlanGraph:
    """The graph of a plan of these tasks."""
    return graph_of(Plan("task-list", title, tasks=tasks, find=lambda _: {}))


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (graph(), "Login: 0 tasks in 0 waves"),
        (graph(task("a")), "Login: 1 task in 1 wave"),
        (graph(task("a"), task("b", "a"), title=" "), "2 tasks in 2 waves"),
        (graph(task("a", "gone")), "Login: 1 task in 0 waves"),
        (graph(*(task(f"t{n}") for n in range(1_000))), "Login: 1,000 tasks in 1 wave"),
    ],
)
def test_the_headline_counts_the_tasks_of_the_plan(made: PlanGraph, words: str) -> None:
    """Names that the plan does not have are no tasks."""
    assert headline(made) == words


def test_the_name_and_the_title_of_a_task() -> None:
    """A title that is only the name is not repeated; subtasks that nothing names are counted."""
    made = graph(
        task("a", title="Create"),
        task("b", "gone", title="b"),
        task("c", title="Test"),
        *(task(f"c.{n}", parent="c") for n in range(2)),
        task("d"),
        task("d.1", parent="d"),
    )
    assert [label(made, number) for number in range(len(made.tasks))] == [
        ("a", "Create"),
        ("b", ""),
        ("c", "Test (2 subtasks)"),
        ("d", " (1 subtask)"),
        ("gone", "is not in the plan"),
    ]


SHARED = graph(
    task("x", "y"),
    task("y", "x"),
    task("z", "gone", "lost"),
    task("w", "w"),
    task("a", files=("app.py", "own.py")),
    task("b", files=("app.py",)),
    task("c", "b", files=("b.py",)),
)


def test_the_remarks_on_a_plan() -> None:
    """Circles, names that the plan lacks, tasks that never begin, and files of tasks that may run together."""
    assert list(remarks(SHARED)) == [
        "circle: w waits for w",
        "circle: x waits for y waits for x",
        "not in the plan: gone, lost",
        "never begins: x, y, z, w",
        "app.py: a, b may change it at the same time",
    ]
    assert list(remarks(graph(task("a")))) == []


def test_of_many_remarks_the_first_are_told() -> None:
    """The names and the files beyond are counted; circles are not."""
    circles = [task(f"c{n}", f"c{n}") for n in range(3)]
    shared = [task(name, files=("1.py", "2.py", "3.py")) for name in "abc"]
    assert list(remarks(graph(*circles, *shared), 2)) == [
        "circle: c0 waits for c0",
        "circle: c1 waits for c1",
        "never begins: c0, c1 and 1 more",
        "1.py: a, b and 1 more may change it at the same time",
        "2.py: a, b and 1 more may change it at the same time",
        "1 more file has tasks that may change them at the same time",
    ]
    assert not any("more files" in line for line in remarks(graph(*shared), 3))


def test_what_a_picture_leaves_out_is_noted() -> None:
    """Four hundred tasks and 480 arrows are drawn; arrows of the critical path come first."""
    whole, cut = (sketch(graph(*(task(f"t{n}") for n in range(number)))) for number in (400, 402))
    assert (whole.notes, cut.notes) == ((), ("not drawn: 2 more tasks",))
    assert list(map(len, (*whole.waves, *cut.waves))) == [400, 400]
    first = [task(f"a{n}") for n in range(20)]
    names = [one.key for one in first]
    dense = [task(f"b{n}", *names) for n in range(24)]
    assert (len(sketch(graph(*first, *dense)).arrows), sketch(graph(*first, *dense)).notes) == (480, ())
    drawn = sketch(graph(*first, *dense, task("end", "b23")))
    assert (len(drawn.arrows), drawn.notes) == (480, ("not drawn: 1 more arrow",))
    assert [kind for _, _, kind in drawn.arrows[:3]] == ["critical", "critical", "plain"]


def test_a_box_has_its_whole_words_as_a_tooltip() -> None:
    """With the line of the task; in the box the name and the title are cut."""
    one = Task("n" * 20, "n" * 20, "t" * 25, Place((), Span(12, 1)))
    drawn = draw_graph(graph_of(Plan("x", tasks=(one, task("m" * 19, title="u" * 24)), find=lambda _: {})), "svg")
    assert re.findall("<title>(.*?)</title>", drawn) == [f"{'n' * 20} {'t' * 25} (line 12)", f"{'m' * 19} {'u' * 24}"]
    texts = re.findall(r"<text [^>]*>([^<]*)</text>", drawn)
    assert {f"{'n' * 18}…", f"{'t' * 23}…", "m" * 19, "u" * 24} <= set(texts)


def test_the_boxes_of_a_status() -> None:
    """Dashed for a name that the plan lacks, red for what never begins, blue and thick for the critical path."""
    drawn = draw_graph(graph(task("a"), task("b", "a"), task("c"), task("d", "gone")), "svg")
    stroke = r'stroke="([^"]*)" stroke-width="(\d)"( stroke-dasharray="4 3")?/>'
    boxes = re.findall(rf'<rect x="\d+" y="\d+" width="176"[^>]*?{stroke}', drawn)
    assert boxes == [
        *(("#1d4ed8", "2", ""), ("#9ca3af", "1", ""), ("#1d4ed8", "2", "")),
        *(("#b91c1c", "2", ""), ("#b91c1c", "2", ' stroke-dasharray="4 3"')),
    ]


def test_a_critical_path_of_one_task_has_no_colour() -> None:
    """Nothing waits for anything."""
    assert '#1d4ed8" stroke-width' not in draw_graph(graph(task("a"), task("b")), "svg")


def test_the_text_of_a_long_wave_counts_its_rest() -> None:
    """Two hundred tasks are named."""
    whole, cut = (draw_graph(graph(*(task(f"t{n}") for n in range(number))), "text") for number in (200, 202))
    assert whole.split("\n")[1].endswith("; t199")
    assert cut.split("\n")[1].endswith("; t199; and 2 more")


def test_the_special_characters_of_mermaid_are_numbers() -> None:
    """Letters, digits and plain signs stay."""
    drawn = draw_graph(graph(task("a", title='Zoë 1.,:-_/() "#;[x]')), "mermaid")
    assert '    n0["a Zoë 1.,:-_/() #34;#35;#59;#91;x#93;"]\n' in drawn
