"""Draw the graph of a plan as text, Mermaid, DOT or SVG."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .sketch import COLORS, RED, headline, label, listed, remarks, sketch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...plans.model.plan_graph import PlanGraph

FORMS = ("text", "mermaid", "dot", "svg")
LINES = 200
"""Maximum number of tasks of a wave, files or cycles in the text form."""


def draw_graph(graph: PlanGraph, form: str) -> str:
    """Return the graph in one of `FORMS`, ending in a line break."""
    if form == "svg":
        from .svg import graph_svg

        return graph_svg(graph)
    lines = {"mermaid": _mermaid, "dot": _dot}.get(form, _text)
    return "\n".join(lines(graph)) + "\n"


def _text(graph: PlanGraph) -> Iterator[str]:
    yield headline(graph)
    for number, wave in enumerate(graph.wave_numbers, 1):
        named = (" ".join(filter(None, label(graph, task))) for task in wave[:LINES])
        more = f"; and {len(wave) - LINES:,} more" if len(wave) > LINES else ""
        yield f"wave {number}: {'; '.join(named)}{more}"
    if graph.critical_path:
        yield f"critical path ({graph.longest_chain:,}): {listed(graph.critical_path, LINES, ' → ')}"
    yield from remarks(graph, LINES)


def _mermaid(graph: PlanGraph) -> Iterator[str]:
    drawn = sketch(graph)
    yield "flowchart LR"
    yield from (f"  %% {_mermaid_words(line)}" for line in (headline(graph), *drawn.notes))
    for number, wave in enumerate(drawn.waves, 1):
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
    for wave in drawn.waves:
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
