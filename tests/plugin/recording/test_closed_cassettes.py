"""What a test keeps of its cassette: its age, its exchanges and its refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import SETTINGS, Settings
from pytest_planguard.plugin.recording.open_recording import _explain, misses_so_far
from pytest_planguard.plugin.recording.recording import (
    _expired,
    _is_whole,
    exchanged_of,
    judged_of,
    max_age_of,
    replayed_of,
)
from pytest_planguard.plugin.recording.unused_cassettes import OURS, prune

HOUR, DAY = 3_600, 86_400
Made = Callable[..., Case]


@pytest.fixture
def made(request: pytest.FixtureRequest) -> Made:
    """Make a case of the running test, whose session has these attributes."""

    def make(spec: Spec | None = None, settings: Settings | None = None, **session: Any) -> Case:
        case = Case(request.node, spec or Spec((), 3), settings or Settings(), "key")
        case.session = SimpleNamespace(**session) if session else None  # type: ignore[assignment]
        return case

    return make


def test_the_age_of_the_marker_comes_before_that_of_the_ini_file(made: Made) -> None:
    """Without one, any age will do."""
    weeks = Settings(max_age=7.0 * DAY)
    assert max_age_of(made()) is None
    assert max_age_of(made(None, weeks)) == 7 * DAY
    assert max_age_of(made(Spec((), 3, max_age="12h"), weeks)) == 12 * HOUR


@pytest.mark.parametrize(
    ("session", "told"),
    [
        ({"age_s": 90.0 * DAY}, "its newest answer is 90 days old (max_age is 7 days)"),
        ({"age_s": -3.0 * DAY}, "its newest answer is dated 3 days in the future (max_age is 7 days)"),
        ({"age_s": 90.0 * DAY, "expired": False}, None),
        ({"age_s": 90.0 * DAY, "recorded": ("a",)}, None),
        ({"age_s": None}, None),
    ],
)
def test_a_cassette_that_is_too_old(made: Made, session: dict[str, Any], told: str | None) -> None:
    """One that was just recorded is not, nor is one without a date."""
    whole = {"expired": True, "recorded": (), **session}
    assert _expired(made(None, Settings(max_age=7.0 * DAY), **whole)) == (() if told is None else (told,))
    assert _expired(made(None, None, **whole)) == ()


def test_exchanges_that_an_experiment_may_repeat(made: Made) -> None:
    """All of them, from the cassette or live; none if a request got no answer, went around, or held a secret."""

    def session(**changes: object) -> Case:
        plain = {"recorded": (), "misses": (), "bypasses": (), "secrets_found": (), "replayed": "old", "lived": "new"}
        return made(None, None, **{**plain, **changes})

    assert exchanged_of(made()) == ()
    assert exchanged_of(session()) == replayed_of(session()) == "old"
    assert exchanged_of(session(recorded=("a",))) == "new"
    for problem in ("misses", "bypasses", "secrets_found"):
        assert exchanged_of(session(**{problem: ("a",)})) == ()
    assert replayed_of(session(recorded=("a",))) == replayed_of(session(misses=("a",))) == ()
    assert judged_of(made()) == ()
    assert judged_of(session(exchanges=())) == ()


def test_a_first_recording_needs_less_to_be_whole(made: Made, tmp_path: Path) -> None:
    """Any answer but none; one that replaces another needs all."""
    file = tmp_path / "a.yaml"
    spec = Spec((), 3, cassette=str(file))
    assert _is_whole(made(spec, None, answered=False, unanswered=False))
    assert not _is_whole(made(spec, None, answered=True, unanswered=True))
    file.write_text("")
    assert not _is_whole(made(spec, None, answered=False, unanswered=False))
    assert _is_whole(made(spec, None, answered=True, unanswered=True))


def test_what_is_refused_without_a_cassette(made: Made) -> None:
    """A host or a function; in a test that only checks, recording is no way out."""
    case = made(Spec((), 3, cassette="a.yaml"))
    assert _explain(case, "api.example.com:443") == (
        "nothing is recorded for this test yet\n"
        "  sent:      a connection to api.example.com:443\n"
        f"  recording: {case.shown_path} (does not exist)\n"
        f"  to record: {case.record_command('missing')}"
    )
    assert "\n  sent:      a call of the function ask\n" in _explain(case, "the function ask")
    assert _explain(made(Spec((), 3, mode="check")), "the function ask") == (
        'mode="check" opens no cassette, so no model can be asked\n'
        "  sent:      a call of the function ask\n"
        '  to do:     judge recorded answers with planguard.check; or leave mode="check" out, and record'
    )
    case.body_guard = SimpleNamespace(refused=None)  # type: ignore[assignment]
    assert misses_so_far(case) == misses_so_far(made()) == ()
    case.body_guard = SimpleNamespace(refused="no")  # type: ignore[assignment]
    assert misses_so_far(case) == ("no",)


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("test_a-0123abcd.yaml", True),
        ("test_a-0123abcd.12.yaml", True),
        ("-0123abcd.yaml", False),
        ("test_a-0123abc.yaml", False),
        ("test_a-0123abcde.yaml", False),
        ("test_a-0123ABCD.yaml", False),
        ("test_a-0123abcd.x.yaml", False),
        ("test_a-0123abcd.yml", False),
        ("test_a-0123abcd_yaml", False),
        ("test_a-0123abcd.yaml.bak", False),
    ],
)
def test_only_names_of_planguard_are_orphans(name: str, ours: bool) -> None:
    """Other tools keep their cassettes in the same folder."""
    assert bool(OURS.fullmatch(name)) is ours


@pytest.fixture
def variants(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[str]]:
    """Prune the cassettes of a test in three variants, and list those that are left."""

    def left(models: tuple[str, ...] = (), *, recorded: bool = True, record: str = "missing") -> list[str]:
        settings = Settings(cassette_dir=str(tmp_path), record=record, variant=None if models else "new")
        monkeypatch.setitem(request.config.stash, SETTINGS, settings)  # type: ignore[arg-type]
        spec = Spec((), 3, models=models, model=models[0] if models else None)
        case = Case(request.node, spec, settings, request.node.nodeid)
        case.recording = SimpleNamespace(recorded=recorded)  # type: ignore[assignment]
        own = case.path
        for variant in ("new", "old", "other"):
            folder = own.parent.parent / variant
            folder.mkdir(parents=True, exist_ok=True)
            for name in (own.name, f"{own.stem}.2.yaml"):
                (folder / name).write_text("")
        (own.parent.parent / "other" / f"{own.stem}x.yaml").write_text("")
        prune(case)
        assert own.is_relative_to(tmp_path)
        assert not any(Path(path).exists() for path in case.pruned)
        assert (own.parent.parent / "other" / f"{own.stem}x.yaml").exists()
        return sorted({path.parent.name for path in own.parent.parent.glob("*/*.yaml") if "x.yaml" not in path.name})

    return left


def test_older_variants_are_pruned_on_request(
    variants: Callable[..., list[str]], pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All samples, but only after a recording; the marker's models are no older variants."""
    every = ["new", "old", "other"]
    assert variants() == every
    monkeypatch.setattr(pytestconfig.option, "planguard_prune", True)
    assert variants(recorded=False) == every
    assert variants(record="none") == every
    assert variants(record="verify") == every
    for record in ("missing", "stale", "all"):
        assert variants(record=record) == ["new"]
    assert variants(("new", "old")) == ["new", "old"]
