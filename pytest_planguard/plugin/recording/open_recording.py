"""Open the cassette of a case for replay or recording, reopen a stale one, or refuse requests without one."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from ...errors import PlanguardWarning, SetupFailed
from ...replay.session.vcrpy_import import any_loaded, ignored_settings, import_vcrpy
from ..case import ENDED, IDENTIFIED
from ..case_parts.played_cassette import PlayedCassette, misses_of
from ..case_parts.refusing_guard import LOCAL, RefusingGuard
from ..marker.marker import SPEC
from ..options import settings_of

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from ...replay.session.playback import Allowance
    from ..case import Case
    from ..marker.marker import Spec
    from ..options import Settings


FOLDERS: pytest.StashKey[dict[Path, bool]] = pytest.StashKey()
"""For each test file, True if there are cassettes beside it."""
ALLOWANCE: pytest.StashKey[Allowance] = pytest.StashKey()
VCR_CONFIG: pytest.StashKey[bool] = pytest.StashKey()
"""Set after a `vcr_config` was seen, so that its settings without effect are named only once."""


def open_recording(case: Case, mode: str | None = None) -> None:
    """Open the cassette of a case. If it does not exist and will not be recorded, refuse requests.

    `mode` is the record mode, by default that of the run.

    Raises:
        CassetteError: the cassette cannot be read, or none can be written there.
        SetupFailed: vcrpy cannot be imported.
    """
    settings, spec = case.settings, case.spec
    case.session = case.opened = case.body_guard = None
    case.recording = PlayedCassette()
    if spec.mode == "check":
        if settings.block_network:
            _refuse_all(case)
        return
    exists = _exists(case)
    record = mode or settings.record
    if record == "verify" and not case.path.is_file():
        record = "none"  # there is no recorded answer to compare with
    if not exists and record == "none" and settings.block_network:
        _refuse_all(case)
        return
    import_vcrpy()
    from ...replay.privacy.redaction_rules import own_redaction
    from ...replay.session.cassette import open_cassette
    from ..rerun.obstacles import may_be_run_again
    from .recording import max_age_of

    if case.vcr_config is None:  # a later sample is opened after reruns tore the fixtures of the one before down
        case.vcr_config = _vcr_config(case.item)
    vcr_config = case.vcr_config
    # A project that lets vcrpy compare bodies wants any change of one to fail.
    exact = "strict" if {"body", "raw_body"} & {*vcr_config.get("match_on", ())} else settings.default_match
    opened = open_cassette(
        case.path,
        mode=cast("Any", record),
        match=cast("Any", settings.match or spec.match or exact),
        contracts=spec.contracts,
        redaction=own_redaction(settings.redact, settings.keep, settings.keep_headers),
        allowed_hosts=settings.allowed_hosts,
        provisional=lambda: may_be_run_again(case),
        conversation_id=IDENTIFIED.get,
        state=lambda: case.state(),
        for_model=case.for_model,
        max_age_s=max_age_of(case),
        block_network=settings.block_network,
        command=case.record_command(("all" if record == "all" else "stale") if exists else "missing"),
        shown_as=case.shown_path,
        allowance=_allowance(case.item.config),
        vcr_config=vcr_config,
    )
    case.session = opened.__enter__()
    case.opened = opened


def _vcr_config(item: pytest.Item) -> Mapping[str, Any]:
    """Return the value of the fixture `vcr_config`, with which projects set up pytest-recording; {} without one."""
    manager, request = item.session._fixturemanager, getattr(item, "_request", None)  # noqa: SLF001
    if request is None or not manager.getfixturedefs("vcr_config", item):
        return {}
    config = dict(request.getfixturevalue("vcr_config"))
    if config and VCR_CONFIG not in item.config.stash:
        item.config.stash[VCR_CONFIG] = True
        ignored = ignored_settings(config)
        if ignored:
            item.warn(PlanguardWarning(f"planguard ignores these settings of vcr_config: {', '.join(ignored)}"))
    return config


def _allowance(config: pytest.Config) -> Allowance:
    """Return the allowance that all tests of this process share; in a worker, its share."""
    if ALLOWANCE not in config.stash:
        from ...replay.session.playback import Allowance

        settings, worker = settings_of(config), getattr(config, "workerinput", None)
        caps: list[int | None] = [settings.record_max_calls, settings.record_max_tokens]
        if worker is not None:
            workers, number = worker["workercount"], int(worker["workerid"].removeprefix("gw"))
            caps = [None if cap is None else share_of(cap, workers, number) for cap in caps]
        config.stash[ALLOWANCE] = Allowance(*caps)
    return config.stash[ALLOWANCE]


def share_of(total: int, workers: int, number: int) -> int:
    """Return the share of a worker, counted from 0. All shares add up to the total."""
    return total // workers + (number < total % workers)


def before_set_up(item: pytest.Item) -> None:
    """Note the surroundings of a marked test that may have a cassette and so may have to run again."""
    spec: Spec | None = item.stash.get(SPEC, None)
    if spec is not None and _may_exist(item, spec, settings_of(item.config)):
        from ..rerun.watching import note_before

        note_before(item)


def watch_shared(session: pytest.Session) -> None:
    """Watch the shared state of tests that may have a cassette."""
    settings = settings_of(session.config)
    found = [i for i in session.items if SPEC in i.stash and _may_exist(i, i.stash[SPEC], settings)]
    if found:
        from ..rerun.watching import watch_session

        watch_session(session, found)


def _may_exist(item: pytest.Item, spec: Spec, settings: Settings) -> bool:
    """Return True if there may be a cassette. Most sessions that only check have none, and look no further."""
    return spec.mode != "check" and (
        spec.cassette is not None or settings.record != "none" or _has_cassettes(item, settings)
    )


def _exists(case: Case) -> bool:
    """Return True if there is a cassette, or the start of an interrupted one."""
    if not _may_exist(case.item, case.spec, case.settings):
        return False
    if case.path.exists():
        return True
    from ...replay.files.cassette_journal import journals_of

    return bool(journals_of(case.path))


def _has_cassettes(item: pytest.Item, settings: Settings) -> bool:
    """Return True if there is any cassette beside a test file. Looked up once per file, since a replay writes none."""
    known = item.config.stash.setdefault(FOLDERS, {})
    file = item.path  # one object for all tests of a file, so its hash is cached; its folder's is not
    if file not in known:
        known[file] = (file.parent / settings.cassette_dir).is_dir()
    return known[file]


def import_early(session: pytest.Session) -> None:
    """Import vcrpy before any test is set up, if tests will need it: plugins may forbid sockets during tests.

    If that fails, each test tries by itself and reports the problem.
    """
    if not session.config.option.collectonly and _will_open(session):
        with suppress(SetupFailed):
            import_vcrpy()


def _will_open(session: pytest.Session) -> bool:
    """Return True if a marked test records, has cassettes, or may ask a model with an already loaded client."""
    settings = settings_of(session.config)
    if not settings.block_network or any_loaded():
        return True
    return any(_may_exist(item, item.stash[SPEC], settings) for item in session.items if SPEC in item.stash)


def close_recording(case: Case, error: BaseException | None = None) -> None:
    """End what `open_recording` began, and keep its results; `error` is the test function's. A second call is harmless.

    Raises:
        CassetteError: a cassette could not be written.
    """
    guard = case.body_guard
    if guard is not None:
        guard.end()
        misses, case.body_guard = misses_so_far(case), None
        case.recording = PlayedCassette(misses=misses, outcome="unrecorded" if misses else None)
    elif case.opened is not None:
        from .recording import close_cassette

        close_cassette(case, error)


def misses_so_far(case: Case) -> tuple[str, ...]:
    """Return an explanation of each miss so far; without a cassette, of the last refused connection."""
    if case.body_guard is not None:
        refused = case.body_guard.refused
        return () if refused is None else (refused,)
    return () if case.session is None else misses_of(case.session)


def _refuse_all(case: Case) -> None:
    guard = RefusingGuard(case.settings.allowed_hosts, partial(_explain, case), "open the cassette of this test")
    guard.begin()
    case.body_guard = guard


def _explain(case: Case, where: str) -> str:
    sent = f"a call of {where}" if where.startswith(LOCAL) else f"a connection to {where}"
    if case.spec.mode == "check":
        return (
            'mode="check" opens no cassette, so no model can be asked\n'
            f"  sent:      {sent}\n"
            '  to do:     judge recorded answers with planguard.check; or leave mode="check" out, and record'
        )
    return (
        "nothing is recorded for this test yet\n"
        f"  sent:      {sent}\n"
        f"  recording: {case.shown_path} (does not exist)\n"
        f"  to record: {case.record_command('missing')}"
    )


# A conversation is recorded as a whole or not at all, and only a replay shows if a cassette still fits. So the first
# run finds out, and the second one records. Fixtures are not set up again in between.


def rerecorded_if_outgrown(item: pytest.Item, case: Case) -> Generator[None, object, object]:
    """Wrap a test function. If its replay shows that the cassette is outgrown, run it again to record.

    An exception of the first run is discarded: it came from answers that no longer fit.
    """
    try:
        result = yield
    except ENDED:
        if not _is_outgrown(case):
            raise
    else:
        if not _is_outgrown(case):
            return result
    close_recording(case)
    case.begin_run()
    open_recording(case, "all")
    if getattr(item, "_excinfo", None):  # a unittest case keeps the failures of its first run here
        item._excinfo = None  # type: ignore[attr-defined]  # noqa: SLF001
    item.runtest()
    return None


def _is_outgrown(case: Case) -> bool:
    return case.session is not None and case.session.outgrown
