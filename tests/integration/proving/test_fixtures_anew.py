"""A project with all that projects have: with further runs and without, pytest reports the same.

`make reruns` does it in 20 orders, with Django, on the lowest and the newest pytest.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_planguard.testing.example import Example
from tools.rerun_matrix.run import SHARING, WRITING, Told, differences, files, run, write

from ...support.nightly import drawn
from ...support.warm import run_module
from ..projects import rows_by_test

PLUGINS = tuple(word for name in ("planguard", "asyncio", "anyio", "xdist") for word in ("-p", name))
ONLY_THESE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def told(folder: Path, order: str, prove: str, *args: str) -> Told:
    """What a session tells in some order."""
    folder.mkdir(exist_ok=True)
    write(folder)
    return run(folder, run_module, prove, *PLUGINS, *args, ORDER=order, **ONLY_THESE)


@pytest.mark.parametrize(("order", "args"), drawn([("3", ("-n", "2")), ("1", ()), ("2", ())], 3))
def test_nobody_can_tell_that_tests_were_run_again(order: str, args: tuple[str, ...], tmp_path: Path) -> None:
    """Outcomes, texts, sections, properties, warnings, and times by a clock that only the tests move."""
    without = told(tmp_path, order, "never", *args)
    with_them = told(tmp_path, order, "auto", *args)
    assert [*differences(without, with_them)] == []
    assert with_them.off == WRITING | SHARING
    tried = with_them.gradings - Counter({"unproven": 3 * len(WRITING | SHARING)})
    assert set(tried) <= {"proven", "reacts", "missing"}, with_them.gradings
    assert sum(tried.values()) > 60


def test_with_all_extras_and_plugins_as_a_user_starts_it() -> None:
    """Every plugin that is installed loads itself: syrupy and pytest-recording have fixtures in each test."""
    own = files()
    project = Example({name: own[name] for name in ("apps.py", "ask.py", "summary.yaml")})
    test = """
        import pytest
        from apps import TICKET, summary
        from ask import ask


        @pytest.mark.planguard(TICKET, cassette="summary.yaml")
        def test_app(request, monkeypatch):
            monkeypatch.delenv("APP_ENV")
            assert {"_syrupy_apply_ide_patches", "record_mode", "settings"} <= {*request.fixturenames}
            summary(ask)
    """
    conftest = """
        import pytest


        @pytest.fixture(autouse=True)
        def settings(monkeypatch):
            monkeypatch.setenv("APP_ENV", "test")
    """
    ini = "[pytest]\nasyncio_default_fixture_loop_scope = function\n"
    example = project.with_files({"test_app.py": dedent(test), "conftest.py": dedent(conftest), "pytest.ini": ini})
    done = example.run_pytest("-p", "no:cacheprovider", plugins=None)
    assert dict(done.outcomes) == {"passed": 1}, done.output
    gradings = {proof["result"] for proof in rows_by_test(done.example)["test_app"]["proofs"]}
    assert gradings <= {"proven", "reacts"}
    assert gradings
