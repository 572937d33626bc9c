"""Draw docs/contributing/architecture.svg: the layers of pyproject.toml, and the path of one request through them.

    python -m tools.architecture_picture

The picture shows the layers in pyproject.toml and the folders in the tree.
"""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "pytest_planguard"
PICTURE = ROOT / "docs" / "contributing" / "architecture.svg"

RUNNING = (
    ("app", "the app asks; its HTTP client is patched"),
    ("replay.session", "takes the request"),
    ("replay.matching.gated_replay", "decides which recorded answer fits"),
    ("wire.decode", "reads the request as an exchange"),
    ("retry.linking + retry.matching", "a retry? which findings does it feed back?"),
    ("replay.session", "serves the answer, or reports no match"),
)
"""The path of a request while its test runs, with the work of each step."""
ENDED = (
    ("plugin.outcome", "closes the cassette, names what is wrong"),
    ("retry.judging", "judges each conversation: checks, outcome"),
    ("plugin.results.rows", "makes one row of the case"),
    ("runs.store", "keeps the rows as a run"),
    ("report", "renders failure, summary, comparison"),
)
"""The path of its exchange when the test ends."""

COLOURS = {
    "plugin": "#2563eb",
    "cli": "#2563eb",
    "report": "#0e7490",
    "runs": "#047857",
    "replay": "#b45309",
    "retry": "#b91c1c",
    "wire": "#7c3aed",
}
"""The stripe colour of a package; packages off the path of a request are grey."""
GREY = "#6b7280"
STYLE = """
  .ground { fill: #ffffff; stroke: #d1d5db } .box { fill: #f3f4f6; stroke: #9ca3af }
  text { fill: #111827; font: 13px system-ui, sans-serif } .head { font-weight: 600; font-size: 15px }
  .name { font: 600 13px ui-monospace, monospace } .small { font-size: 11.5px; fill: #374151 }
  .line { stroke: #4b5563; stroke-width: 1.5; fill: none } .tip { fill: #4b5563 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #111827; stroke: #374151 } .box { fill: #1f2937; stroke: #6b7280 }
    text { fill: #f9fafb } .small { fill: #d1d5db } .line { stroke: #d1d5db } .tip { fill: #d1d5db }
  }
"""
WIDTH, TOP, LEFT, RIGHT, COLUMN, LAYER, STEP = 920, 60, 40, 510, 430, 66, 52
"""Lengths in pixels: the picture, the tops and lefts of its two columns, their width, a layer's and a step's height."""


def layers() -> list[list[str]]:
    """Return the packages of each layer, top first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(c for c in settings["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    return [[name.strip(" ()") for name in layer.split("|")] for layer in contract["layers"]]


def folders(package: str) -> list[str]:
    """Return the names of a package's folders that hold modules."""
    inner = sorted(path for path in (PACKAGE / package).glob("*") if path.is_dir())
    return [path.name for path in inner if [file for file in path.glob("*.py") if file.name != "__init__.py"]]


def picture() -> str:
    """Return the whole picture as SVG."""
    height = TOP + max(len(layers()) * LAYER, (len(RUNNING) + len(ENDED)) * STEP + 44) + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>The layers of pytest_planguard, and the way of one request through them</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        *_stack(),
        *_way(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _stack() -> Iterator[str]:
    yield _text(LEFT, 34, "Layers: imports go down only", "head")
    bottom = TOP + len(layers()) * LAYER
    yield from _arrow(LEFT - 18, TOP, bottom - 10)
    for row, layer in enumerate(layers()):
        width = (COLUMN - 10 * (len(layer) - 1)) / len(layer)
        for place, name in enumerate(layer):
            x, y = LEFT + place * (width + 10), TOP + row * LAYER
            yield from _box(x, y, width, LAYER - 10, COLOURS.get(name, GREY))
            yield _text(x + 16, y + 19, name, "name")
            listed = textwrap.wrap(", ".join(folders(name)), int(width / 6.2))  # 6.2 pixels a character on average
            if len(listed) > 2:  # a box has room for two lines: the page lists the rest
                listed = [listed[0], textwrap.shorten(" ".join(listed[1:]), int(width / 6.2), placeholder=" …")]
            for number, line in enumerate(listed):
                yield _text(x + 16, y + 35 + 14 * number, line, "small")


def _way() -> Iterator[str]:
    yield _text(RIGHT, 34, "One request, while its test runs", "head")
    yield from _steps(RUNNING, TOP, 1)
    y = TOP + len(RUNNING) * STEP + 44
    yield _text(RIGHT, y - 18, "Its exchange, when the test ends", "head")
    yield from _steps(ENDED, y, 1 + len(RUNNING))


def _steps(steps: tuple[tuple[str, str], ...], top: int, first: int) -> Iterator[str]:
    for row, (name, what) in enumerate(steps):
        y = top + row * STEP
        yield from _box(RIGHT, y, WIDTH - RIGHT - 20, STEP - 14, COLOURS.get(name.partition(".")[0], GREY))
        yield _text(RIGHT + 16, y + 16, f"{first + row}  {name}", "name")
        yield _text(RIGHT + 16, y + 31, what, "small")
        if row:
            yield from _arrow(RIGHT + 190, y - 14, y)


def _box(x: float, y: float, width: float, height: float, colour: str) -> Iterator[str]:
    yield f'<rect class="box" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"/>'
    yield f'<rect x="{x:g}" y="{y:g}" width="6" height="{height:g}" rx="2" fill="{colour}"/>'


def _arrow(x: float, start: float, end: float) -> Iterator[str]:
    yield f'<path class="line" d="M{x:g} {start:g}V{end - 6:g}"/>'
    yield f'<path class="tip" d="M{x - 4:g} {end - 7:g}h8l-4 7z"/>'


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" xml:space="preserve">{escape(words)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
