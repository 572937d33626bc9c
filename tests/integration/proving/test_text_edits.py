"""Apps that apply a model's edits: some report each hunk that fails, by its text or number; others drop a hunk."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.testing.example import Run

from ...support.lookalike import Lookalike
from ...support.lookalike.model import Answer
from ...support.lookalike.server import _Handler
from ...support.lookalike.spelling import Spelling
from ...support.warm import WarmExample
from ..projects import rows_by_test

CALC = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n"
HUNK = "@@ -{n},2 +{n},2 @@\n-def {name}(x):\n-    total = x\n+def {name}(x: int):\n+    total = x + 1\n"
BLOCK = "calc.py\n```python\n<<<<<<< SEARCH\ndef {name}(x):\n=======\ndef {name}(x: int):\n>>>>>>> REPLACE\n```\n"
GOOD = "@@ -1,2 +1,2 @@\n-def add(a, b):\n+def add(a: int, b: int):\n     return a + b\n"
BAD = {
    "diff": "Here:\n```diff\n--- calc.py\n+++ calc.py\n"
    + "".join(HUNK.format(n=n, name=f"f{n}") for n in (7, 9))
    + "```\n",
    "blocks": "Here:\n" + "".join(BLOCK.format(name=name) for name in ("one", "two", "three")),
}
FIXED = f"```diff\n--- calc.py\n+++ calc.py\n{GOOD}```\n"
APP = """
from openai import OpenAI

from pytest_planguard.contract.constraints.text_edits import read_edits

CALC = {calc!r}


def edit(task, report):
    client = OpenAI(max_retries=0)
    messages = [{{"role": "user", "content": f"{{task}} in calc.py:\\n{{CALC}}"}}]
    for _ in range(3):
        answer = client.chat.completions.create(model="m", messages=messages).choices[0].message.content
        edits = list(read_edits(answer))
        failed = [one for one in edits if one.old not in CALC]
        if not failed:
            return answer
        told = "\\n".join(report(edits, failed))
        messages.append({{"role": "assistant", "content": answer}})
        messages.append({{"role": "user", "content": f"Not found:\\n{{told}}"}})
"""
TESTS = """
import app
import pytest
from pytest_planguard import Contract, edits_apply

EDITS = Contract(None, rules=[edits_apply({"calc.py": app.CALC})], format="markdown", name="edits")


def iterated(failed):
    for one in failed:
        failed.remove(one)
        yield one


def quoted(_, failed):
    return ["In " + one.text for one in failed]


def numbered(edits, failed):
    return [f"Edit {edits.index(one) + 1} does not match." for one in failed]


REPORTS = {
    "every": quoted,
    "number of every": numbered,
    "iterated": lambda edits, failed: quoted(edits, iterated(failed)),
    "without the last": lambda edits, failed: quoted(edits, failed[:-1]),
    "number without the last": lambda edits, failed: numbered(edits, failed[:-1]),
}


@pytest.mark.planguard(EDITS)
@pytest.mark.parametrize("kind", ["diff", "blocks"])
@pytest.mark.parametrize("report", REPORTS)
def test_edit(kind, report):
    app.edit(f"Add types as {kind}", REPORTS[report])
"""


class _Editor(_Handler):
    """Answers with edits of other files, and well as soon as it is asked again."""

    def _answer(self, lookalike: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        del lookalike, stream
        turns = list(spelling.turns(body))
        bad = BAD["diff" if "as diff" in turns[0].text else "blocks"]
        self._send(200, spelling.whole(Answer(FIXED if len(turns) > 1 else bad), body))


@pytest.fixture(scope="module")
def run() -> Run:
    """Return the run that recorded."""
    server = Lookalike()
    server._server.RequestHandlerClass = _Editor
    example = WarmExample({"app.py": APP.format(calc=CALC), "test_app.py": TESTS})
    try:
        env = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "any"}
        return example.run_pytest("--planguard-record=missing", "--tb=short", env=env, timeout_s=300)
    finally:
        server.stop()


RIGHT = [f"test_edit[{report}-{kind}]" for report in ("every", "number of every") for kind in ("diff", "blocks")]


@pytest.mark.slow
def test_dropped_hunks_are_red(run: Run) -> None:
    """Only the app that reports every edit that fails passes."""
    rows = rows_by_test(run.example)
    assert len(rows) == 10
    assert sorted(name for name, row in rows.items() if row["result"] == "passed") == sorted(RIGHT), run.stdout


@pytest.mark.slow
def test_dropped_hunk_is_named(run: Run) -> None:
    """The failure names the hunk that the request does not quote."""
    assert "def f9(x):" in run.stdout
    assert "quote 2 wrong parts of the answer, but not this one" in run.stdout
