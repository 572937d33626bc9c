"""The graph of a plan as a picture."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.plans.plan import Edge, Plan, Task
from pytest_planguard.plans.plan_graph import graph_of
from pytest_planguard.plans.status import Status
from pytest_planguard.report.plan_picture import ARROWS_DRAWN, FORMS, NAMED, TASKS_DRAWN, draw_graph, listed

SVG = "{http://www.w3.org/2000/svg}"
RED = "#b91c1c"
LEGEND = (("a", "", Status.DONE), ("b", "a", Status.BLOCKED), ("c", "", None))


def plan(edges: dict[str, str], title: str = "Do it") -> Plan:
    """Return a plan of data: task to the names that it waits for."""
    made = (Task(n, n, title, edges=tuple(Edge(to, to) for to in waits.split())) for n, waits in edges.items())
    return Plan("task-list", "Login", tasks=tuple(made), find=lambda _: {})


def svg(edges: dict[str, str]) -> ET.Element:
    """Return the picture of a plan."""
    return ET.fromstring(draw_graph(graph_of(plan(edges)), "svg"))


def boxes(picture: ET.Element) -> dict[str, tuple[int, int, str]]:
    """Return where the box of each task stands, and its color."""
    groups = ((group, group.find(f"{SVG}rect")) for group in picture.iter(f"{SVG}g"))
    return {
        str(group.findtext(f"{SVG}text")): (int(box.attrib["x"]), int(box.attrib["y"]), box.attrib["stroke"])
        for group, box in groups
        if box is not None and group.find(f"{SVG}title") is not None
    }


def test_a_picture_has_a_column_for_each_wave_and_circles_in_red() -> None:
    """Places and colors of the boxes; the notes."""
    picture = svg({"a": "", "b": "a", "c": "a", "x": "y", "y": "x", "z": "gone"})
    found = boxes(picture)
    assert found["a"][0] < found["b"][0] == found["c"][0] < found["x"][0]
    assert {name for name, (_, _, color) in found.items() if color == RED} == {"x", "y", "z", "gone"}
    red = [line for line in picture.iter(f"{SVG}path") if line.get("stroke") == RED]
    assert len(red) == 2
    words = [text.text for text in picture.iter(f"{SVG}text")]
    assert "Login: 6 tasks in 2 waves" in words
    assert "circle: x waits for y waits for x" in words


@example([set(), set(), *({n} for n in range(1, 9)), {9, 0}])  # the last in the second band waits for the first
@given(st.lists(st.sets(st.integers(0, 40), max_size=3), max_size=40))
def test_no_arrow_crosses_a_box(waits: list[set[int]]) -> None:
    """The straight lines of an arrow stay in the gaps between the boxes, and within the picture."""
    earlier = {str(n): " ".join(sorted({str(one % n) for one in to if n})) for n, to in enumerate(waits)}
    picture = svg(earlier)
    corners = [(x, y) for x, y, _ in boxes(picture).values()]
    for path in picture.iter(f"{SVG}path"):
        points = [(int(x), int(y)) for x, y in re.findall(r"[MLQ ](\d+) (\d+)", path.attrib["d"])]
        for (x, y), (to_x, to_y) in pairwise(points) if "Q" in path.attrib["d"] else ():
            left, right, top, bottom = min(x, to_x), max(x, to_x), min(y, to_y), max(y, to_y)
            assert 0 < left <= right < int(picture.attrib["width"])
            hit = [(a, b) for a, b in corners if left < a + 176 and right > a and top < b + 40 and bottom > b]
            assert not hit, path.attrib["d"]


def test_the_legend_names_the_colours_of_the_picture() -> None:
    """Each that occurs, and no other."""
    made = (Task(n, n, "", edges=tuple(Edge(to, to) for to in waits), status=status) for n, waits, status in LEGEND)
    words = {text.text for text in ET.fromstring(draw_graph(graph_of(Plan("x", tasks=tuple(made))), "svg")).iter()}
    assert {"critical path", "done", "blocked"} < words
    assert not words & {"never begins", "active", "review"}
    assert "never begins" in {text.text for text in svg({"a": "a"}).iter()}
    assert "critical path" not in {text.text for text in svg({"a": "", "b": ""}).iter()}


@given(st.lists(st.sets(st.integers(0, 40), max_size=3), max_size=40))
def test_boxes_never_lie_on_each_other(waits: list[set[int]]) -> None:
    """Each has a place of its own."""
    found = boxes(svg({str(n): " ".join(map(str, sorted(to))) for n, to in enumerate(waits)}))
    corners = [(x, y) for x, y, _ in found.values()]
    assert len(set(corners)) == len(corners)


@pytest.mark.parametrize("form", FORMS)
def test_words_of_a_plan_are_no_markup(form: str) -> None:
    """Quotes, tags, comments and escapes of a title stay words."""
    hostile = 'a"]; click n0 "javascript:x" %% <script>alert(1)</script>\n\x1b[31m'
    drawn = draw_graph(graph_of(plan({hostile: "", "b": hostile}, hostile)), form)
    assert "\x1b" not in drawn
    if form == "svg":
        assert not list(ET.fromstring(drawn).iter(f"{SVG}script"))
    if form == "mermaid":
        assert all(
            re.fullmatch(r'\w*\["[\w .,:\-_/()#;]*"\]', line.strip()) for line in drawn.split("\n") if '["' in line[:8]
        )
        assert "<script" not in drawn
    if form == "dot":
        assert '\\"]; click' in drawn


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_a_plan_of_any_size_makes_a_bounded_picture(form: str) -> None:
    """The rest is counted."""
    edges = {f"T{n}": " ".join(f"T{before}" for before in range(max(0, n - 3), n)) for n in range(2_000)}
    drawn = draw_graph(graph_of(plan(edges)), form)
    assert "2,000 tasks in 2,000 waves" in drawn
    if form != "text":
        assert f"not drawn: {2_000 - TASKS_DRAWN:,} more tasks" in drawn
        assert drawn.count("-->") <= ARROWS_DRAWN


def test_an_arrow_that_others_imply_is_not_drawn() -> None:
    """A task waits for another through a third."""
    drawn = draw_graph(graph_of(plan({"a": "", "b": "a", "c": "a b"})), "mermaid")
    assert [line.strip() for line in drawn.split("\n") if "-->" in line] == ["n0 --> n1", "n1 --> n2"]


def test_text_says_the_waves_the_path_and_what_is_wrong() -> None:
    """The whole text."""
    drawn = draw_graph(graph_of(plan({"a": "", "b": "a", "c": "gone"}, "")), "text")
    assert drawn == (
        "Login: 3 tasks in 2 waves\nwave 1: a\nwave 2: b\ncritical path (2): a → b\n"
        "not in the plan: gone\nnever begins: c\n"
    )


@pytest.mark.parametrize("form", ["mermaid", "svg"])
def test_a_wave_keeps_its_number_if_another_is_left_out(form: str) -> None:
    """The only task of wave 2 is beyond the tasks that are drawn."""
    drawn = {f"t{n}": "" for n in range(TASKS_DRAWN - 1)}
    text = draw_graph(graph_of(plan({**drawn, "last": "far", "far": "t0"})), form)
    assert "wave 1" in text
    assert "wave 2" not in text
    assert "wave 3" in text


def test_waves_that_fill_a_band_share_it() -> None:
    """Two waves of three columns each make one band of six, and one box more begins another."""
    waves = {f"a{n}": "" for n in range(24)} | {f"b{n}": "a0" for n in range(24)}
    for plan_of, bands in ((waves, 1), (waves | {"b24": "a0"}, 2)):
        places = boxes(svg(plan_of)).values()
        heights = {y for x, y, _ in places if x == min(x for x, _, _ in places)}
        assert len(heights) == 8 * bands


def test_of_many_names_the_first_are_listed() -> None:
    """Twelve are, and the rest is counted."""
    names = tuple(f"T{n}" for n in range(NAMED + 1))
    assert listed(names[:NAMED]) == ", ".join(names[:NAMED])
    assert listed(names) == f"{', '.join(names[:NAMED])} and 1 more"
