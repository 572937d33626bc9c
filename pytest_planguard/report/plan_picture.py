"""Choose what a plan's picture shows: a limited number of tasks, and the arrows between them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from ..plans.status import Status
from ..printable import one_line
from .plain_text import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..plans.plan_graph import PlanGraph


TASKS_DRAWN = 400
"""Maximum number of tasks in a picture. Later tasks are left out."""
ARROWS_DRAWN = 480
"""Maximum number of arrows in a picture. Mermaid rejects more than 500."""
TITLE = 60
"""Maximum number of characters of a task's title."""
Kind = Literal["plain", "critical", "cycle"]
RED, BLUE, GREY = "#b91c1c", "#1d4ed8", "#9ca3af"
COLORS: dict[Kind, str] = {"plain": GREY, "critical": BLUE, "cycle": RED}
"""The colours of arrows, by kind."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """The tasks and arrows in a picture, by the numbers of the graph's tasks."""

    waves: tuple[tuple[int, ...], ...]
    """Every wave, so that a picture can number them as the text does; () for one whose tasks are all left out."""
    stuck: tuple[int, ...]
    """Tasks that can never begin, and unknown names."""
    arrows: tuple[tuple[int, int, Kind], ...]
    """The first task, the task that waits for it, and the kind of arrow."""
    notes: tuple[str, ...]
    """Omissions and problems, one per line."""


def sketch(graph: PlanGraph) -> Sketch:
    """Return what to draw."""
    drawn = range(min(len(graph.tasks), TASKS_DRAWN))
    waves = tuple(tuple(task for task in wave if task in drawn) for wave in graph.wave_numbers)
    kinds: dict[tuple[int, int], Kind] = dict.fromkeys(pairwise(graph.path_numbers), "critical")
    kinds |= {(first, second): "cycle" for cycle in graph.cycle_numbers for second, first in pairwise(cycle)}
    plain: dict[tuple[int, int], Kind]
    plain = {(first, task): "plain" for task in drawn for first in graph.nearest(task)}
    plain.update(kinds)  # an arrow of the critical path or of a cycle is drawn, even if other arrows imply it
    arrows: list[tuple[int, int, Kind]] = [(a, b, plain[a, b]) for a, b in plain if a in drawn and b in drawn]
    arrows.sort(key=lambda arrow: arrow[2] == "plain")  # plain arrows last, so that the limit leaves those out
    notes = list(remarks(graph))
    if len(graph.tasks) > len(drawn):
        notes.append(f"not drawn: {count(len(graph.tasks) - len(drawn), 'more task')}")
    if len(arrows) > ARROWS_DRAWN:
        notes.append(f"not drawn: {count(len(arrows) - ARROWS_DRAWN, 'more arrow')}")
    stuck = tuple(sorted(task for task in graph.stuck if task in drawn))
    return Sketch(waves, stuck, tuple(arrows[:ARROWS_DRAWN]), tuple(notes))


NAMED = 12
"""Maximum number of tasks and lines of a kind to name. The rest are counted."""


def remarks(graph: PlanGraph, most: int = NAMED) -> Iterator[str]:
    """Yield the problems in a plan's order, one per line: cycles, tasks that can never begin, files shared by tasks."""
    for cycle in graph.cycles[:most]:
        yield f"circle: {listed(cycle, most, ' waits for ')}"
    if graph.unknown:
        yield f"not in the plan: {listed(graph.unknown, most)}"
    if graph.unreachable:
        yield f"never begins: {listed(graph.unreachable, most)}"
    for conflict in graph.conflicts[:most]:
        yield f"{one_line(conflict.file, 100)}: {listed(conflict.tasks, most)} may change it at the same time"
    if len(graph.conflicts) > most:
        more = len(graph.conflicts) - most
        yield f"{count(more, 'more file')} {'has' if more == 1 else 'have'} tasks that may change them at the same time"


def listed(names: tuple[str, ...], most: int = NAMED, separator: str = ", ") -> str:
    """Return text such as 'T001, T002 and 3 more'."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return separator.join(one_line(name, 60) for name in names[:most]) + more


def headline(graph: PlanGraph) -> str:
    """Return a headline for the graph, such as 'Login: 12 tasks in 5 waves'."""
    tasks = sum(task.known for task in graph.tasks)
    waves = len(graph.wave_numbers)
    title = f"{one_line(graph.title, 80)}: " if graph.title.strip() else ""
    return f"{title}{tasks:,} task{'s' * (tasks != 1)} in {waves:,} wave{'s' * (waves != 1)}"


def label(graph: PlanGraph, number: int) -> tuple[str, str]:
    """Return the name and the title of a task: ("T001", "Create the parser (4 subtasks)")."""
    task = graph.tasks[number]
    if not task.known:
        return one_line(task.name, TITLE), "is not in the plan"
    parts = f" ({task.folded} subtask{'s' * (task.folded != 1)})" if task.folded else ""
    title = one_line(task.title, TITLE)
    return one_line(task.name, TITLE), ("" if title == task.name else title) + parts


FORMS = ("text", "mermaid", "dot", "svg")
LINES = 200
"""Maximum number of tasks of a wave, files or cycles in the text form."""


def draw_graph(graph: PlanGraph, form: str) -> str:
    """Return the graph in one of `FORMS`, ending in a line break."""
    if form == "svg":
        return graph_svg(graph)
    lines = {"mermaid": _mermaid, "dot": _dot}.get(form, _text)
    return "\n".join(lines(graph)) + "\n"


def _text(graph: PlanGraph) -> Iterator[str]:
    yield headline(graph)
    for number, wave in enumerate(graph.wave_numbers, 1):
        named = (" ".join(filter(None, label(graph, task))) for task in wave[:LINES])
        more = f"; and {len(wave) - LINES:,} more" if len(wave) > LINES else ""
        yield f"wave {number}: {'; '.join(named)}{more}"
    if _critical(graph):
        yield f"critical path ({graph.longest_chain:,}): {listed(graph.critical_path, LINES, ' → ')}"
    yield from remarks(graph, LINES)


def _mermaid(graph: PlanGraph) -> Iterator[str]:
    drawn = sketch(graph)
    yield "flowchart LR"
    yield from (f"  %% {_mermaid_words(line)}" for line in (headline(graph), *drawn.notes))
    for number, wave in [one for one in enumerate(drawn.waves, 1) if one[1]]:
        yield f'  subgraph wave{number}["wave {number}"]'
        yield from (f"    {_mermaid_node(graph, task)}" for task in wave)
        yield "  end"
    yield from (f"  {_mermaid_node(graph, task)}" for task in drawn.stuck)
    yield from (f"  n{first} --> n{second}" for first, second, _ in drawn.arrows)
    for at, (_, _, kind) in enumerate(drawn.arrows):
        if kind != "plain":
            yield f"  linkStyle {at} stroke:{COLORS[kind]},stroke-width:3px"
    yield from (f"  style n{task} stroke:{RED}" for task in drawn.stuck)


def _mermaid_node(graph: PlanGraph, task: int) -> str:
    return f'n{task}["{_mermaid_words(" ".join(filter(None, label(graph, task))))}"]'


def _mermaid_words(text: str) -> str:
    """Return a text with Mermaid's special characters as numbers: '#34;' for a quote."""
    return "".join(one if one.isalnum() or one in " .,:-_/()" else f"#{ord(one)};" for one in text)


def _dot(graph: PlanGraph) -> Iterator[str]:
    drawn = sketch(graph)
    yield "digraph plan {"
    yield from (f"  // {line}" for line in (headline(graph), *drawn.notes))
    yield "  rankdir=LR; node [shape=box, style=rounded];"
    for wave in filter(None, drawn.waves):
        yield from (f"  n{task} [label={_quoted(graph, task)}];" for task in wave)
        yield f"  {{rank=same; {' '.join(f'n{task};' for task in wave)}}}"
    yield from (f'  n{task} [label={_quoted(graph, task)}, color="{RED}"];' for task in drawn.stuck)
    for first, second, kind in drawn.arrows:
        style = "" if kind == "plain" else f' [color="{COLORS[kind]}", penwidth=3]'
        yield f"  n{first} -> n{second}{style};"
    yield "}"


def _quoted(graph: PlanGraph, task: int) -> str:
    """Return a label as a DOT string. DOT uses the same escapes as JSON."""
    return json.dumps("\n".join(filter(None, label(graph, task))), ensure_ascii=False)


WIDTH, HEIGHT, ACROSS, DOWN, MARGIN, LEFT = 176, 40, 48, 14, 16, 32
"""Lengths in pixels: a box, the gaps between columns and between boxes, the margin and the left margin."""
HEAD, LINE, ROUND = 26, 18, 6
"""Height of a band's words and of a line of text, and the radius of an arrow's corners, in pixels."""
NAME, LETTERS = 19, 24
"""Number of letters of a name, in bold, and of a title that fit in a box."""
COLUMNS, ROWS = 6, 8
"""Maximum number of columns in a band, and of boxes in a column. A longer wave takes several columns."""
FILLS = {Status.DONE: "#d1fae5", Status.ACTIVE: "#fef3c7", Status.REVIEW: "#e0e7ff", Status.BLOCKED: "#fee2e2"}
"""The colours of boxes, by the task's status. The others are white."""
FONT = 'font-family="system-ui, sans-serif" font-size="12" fill="#111827"'


class _Box(NamedTuple):
    """The position of a task."""

    band: int
    column: int
    x: int
    """The left side, in pixels."""
    y: int
    """The upper side, in pixels."""
    lane: int
    """The height above the band at which arrows from other bands arrive, in pixels."""


class _Column(NamedTuple):
    words: str
    tasks: Sequence[int]


def graph_svg(graph: PlanGraph) -> str:
    """Return the picture. The tooltip of each box has the task's name, title and line."""
    drawn = sketch(graph)
    top = MARGIN + LINE * (len(drawn.notes) + 1)
    bands = [*_bands(_columns(drawn, _critical(graph)))]
    boxes, heads, bottom = _placed(bands, top)
    height = bottom + LINE
    widest = max((len(band) for band in bands), default=0)
    width = max(LEFT + MARGIN + widest * (WIDTH + ACROSS), 640)
    title = headline(graph)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(title)}>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>{_markers()}<g {FONT}>',
        f'<text x="{LEFT}" y="{MARGIN + 4}" font-weight="bold">{escape(title)}</text>',
        *(_note(line, at) for at, line in enumerate(drawn.notes, 1)),
        *(f'<text x="{x}" y="{y}" fill="#6b7280">{escape(words)}</text>' for x, y, words in heads),
        *(_arrow(boxes[first], boxes[second], kind) for first, second, kind in reversed(drawn.arrows)),
        *_drawn_boxes(graph, drawn, boxes),
        *_legend(graph, drawn, bottom),
    ]
    return "\n".join([*parts, "</g></svg>"]) + "\n"


def _critical(graph: PlanGraph) -> set[int]:
    """Return the tasks of the critical path; none if it has one task, which says nothing."""
    return set(graph.path_numbers) if graph.longest_chain > 1 else set()


def _columns(drawn: Sketch, critical: set[int]) -> Iterator[_Column]:
    """Yield the columns: the critical path on top, other tasks at the height of those they wait for."""
    before: dict[int, list[int]] = {}
    for first, second, _ in drawn.arrows:
        before.setdefault(second, []).append(first)
    height: dict[int, float] = {}
    groups = [(f"wave {number}", wave) for number, wave in enumerate(drawn.waves, 1) if wave]
    for words, tasks in [*groups, *([("never begins", drawn.stuck)] if drawn.stuck else [])]:
        near = {task: [height[first] for first in before.get(task, ()) if first in height] for task in tasks}
        middle = (len(tasks) - 1) / 2
        mean = {task: sum(heights) / len(heights) if heights else middle for task, heights in near.items()}
        ordered = sorted(tasks, key=lambda task: (task not in critical, mean[task], task))
        height |= {task: float(at % ROWS) for at, task in enumerate(ordered)}
        for start in range(0, len(ordered), ROWS):
            yield _Column(words if start == 0 else "", ordered[start : start + ROWS])


def _bands(columns: Iterable[_Column]) -> Iterator[list[_Column]]:
    """Yield the columns in bands. A wave that fits into one band begins a new one instead of being split."""
    listed = list(columns)
    band: list[_Column] = []
    for at, column in enumerate(listed):
        length = next((n for n, one in enumerate(listed[at + 1 :], 1) if one.words), len(listed) - at)
        if band and (len(band) == COLUMNS or (column.words and len(band) + min(length, COLUMNS) > COLUMNS)):
            yield band
            band = []
        band.append(column)
    if band:
        yield band


def _placed(bands: list[list[_Column]], top: int) -> tuple[dict[int, _Box], list[tuple[int, int, str]], int]:
    """Return the position of each task, the words above the columns with their positions, and the total height."""
    boxes: dict[int, _Box] = {}
    heads = []
    for number, band in enumerate(bands):
        for at, column in enumerate(band):
            x = LEFT + at * (WIDTH + ACROSS)
            heads.append((x, top + HEAD - 8, column.words))
            for row, task in enumerate(column.tasks):
                boxes[task] = _Box(number, at, x, top + HEAD + row * (HEIGHT + DOWN), top - DOWN // 2)
        top += HEAD + max(len(column.tasks) for column in band) * (HEIGHT + DOWN) + DOWN
    return boxes, heads, top + MARGIN


def _markers() -> str:
    heads = (
        f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{color}"/></marker>'
        for kind, color in COLORS.items()
    )
    return f"<defs>{''.join(heads)}</defs>"


def _note(line: str, at: int) -> str:
    return f'<text x="{LEFT}" y="{MARGIN + 4 + LINE * at}" fill="{RED}">{escape(line)}</text>'


def _arrow(first: _Box, second: _Box, kind: Kind) -> str:
    """Return the arrow from the first task to the second. Only an arrow to the next column may go straight."""
    x, y, to_x, to_y = first.x + WIDTH, first.y + HEIGHT // 2, second.x, second.y + HEIGHT // 2
    if first.band == second.band and first.column + 1 == second.column:
        line = f"M{x} {y}C{x + ACROSS // 2} {y} {to_x - ACROSS // 2} {to_y} {to_x} {to_y}"
    elif (first.band, first.column) < (second.band, second.column):
        aside = 0 if kind == "plain" else 4  # beside the plain arrows, not on them
        lane = aside + (second.y + HEIGHT + DOWN // 3 if first.band == second.band else second.lane)
        right, left = x + ACROSS // 2 + aside, to_x - ACROSS // 2 + aside
        line = _rounded((x, y), (right, y), (right, lane), (left, lane), (left, to_y), (to_x, to_y))
    else:  # a cycle, whose tasks are in one column
        to_y += 8 if first == second else 0
        line = f"M{x} {y - 4}C{x + ACROSS} {y} {second.x + WIDTH + ACROSS} {to_y} {second.x + WIDTH} {to_y}"
    thick = 1 if kind == "plain" else 2
    return f'<path d="{line}" fill="none" stroke="{COLORS[kind]}" stroke-width="{thick}" marker-end="url(#{kind})"/>'


def _rounded(*points: tuple[int, int]) -> str:
    """Return a path of horizontal and vertical lines with round corners, between the boxes."""
    corners = (
        f"L{_beside(corner, before)}Q{corner[0]} {corner[1]} {_beside(corner, after)}"
        for before, corner, after in zip(points, points[1:], points[2:], strict=False)
    )
    return f"M{points[0][0]} {points[0][1]}{''.join(corners)}L{points[-1][0]} {points[-1][1]}"


def _beside(corner: tuple[int, int], other: tuple[int, int]) -> str:
    """Return the point near a corner on the way to another point."""
    steps = (max(-ROUND, min(ROUND, (to - at) // 2)) for at, to in zip(corner, other, strict=True))
    return " ".join(str(at + step) for at, step in zip(corner, steps, strict=True))


def _drawn_boxes(graph: PlanGraph, drawn: Sketch, boxes: dict[int, _Box]) -> Iterator[str]:
    critical, stuck = _critical(graph), set(drawn.stuck)
    for number, box in boxes.items():
        x, y = box.x, box.y
        task = graph.tasks[number]
        name, title = label(graph, number)
        color = RED if number in stuck else BLUE if number in critical else GREY
        dashes = "" if task.known else ' stroke-dasharray="4 3"'
        fill = FILLS.get(task.status, "#ffffff") if task.status else "#ffffff"
        tooltip = f"{name} {title}" + (f" (line {task.line})" if task.line else "")
        yield (
            f'<g><title>{escape(tooltip)}</title><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" '
            f'fill="{fill}" stroke="{color}" stroke-width="{2 if color != GREY else 1}"{dashes}/>'
            f'<text x="{x + 8}" y="{y + 17}" font-weight="bold">{escape(_clipped(name, NAME))}</text>'
            f'<text x="{x + 8}" y="{y + 32}" font-size="11">{escape(_clipped(title, LETTERS))}</text></g>'
        )


def _legend(graph: PlanGraph, drawn: Sketch, top: int) -> Iterator[str]:
    """Yield the meaning of each colour that the picture has."""
    statuses = {graph.tasks[task].status for wave in (*drawn.waves, drawn.stuck) for task in wave}
    entries = [("critical path", "#ffffff", BLUE)] if _critical(graph) else []
    entries += [("never begins", "#ffffff", RED)] if drawn.stuck else []
    entries += [(status.value, fill, GREY) for status, fill in FILLS.items() if status in statuses]
    x = LEFT
    for words, fill, color in entries:
        yield f'<rect x="{x}" y="{top}" width="14" height="10" rx="2" fill="{fill}" stroke="{color}" stroke-width="2"/>'
        yield f'<text x="{x + 20}" y="{top + 10}" fill="#6b7280">{words}</text>'
        x += 44 + 7 * len(words)


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
