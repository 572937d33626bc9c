"""Recording modes, variants, staleness: what is written when, and what a person is told to type."""

import hashlib
import json
import sys

import pytest

from pytest_planguard.testing.example import Example

from ...support.lookalike import Lookalike
from ..projects import PRINTER, app, rows, run, script

ONE = """
@pytest.mark.planguard(TICKET)
def test_printer():
    assert apps.careful(ask.plain, "the printer is on fire")
"""


@pytest.fixture(scope="module")
def recorded() -> Example:
    """The project with its cassette, made by a first run; an example never changes, so all tests start from it."""
    live = script(Lookalike())
    done = run(app(ONE), live, "-q", "--planguard-record=missing")
    live.stop()
    assert dict(done.outcomes) == {"passed": 1}, done.output
    return done.example


def recording(example: Example) -> tuple[str, str]:
    """Path and text of the only cassette."""
    (path,) = example.paths(".yaml")
    return path, example.read(path)


def test_a_recording_stands_beside_its_test(recorded):
    """It is named by test file, variant, test and a digest of the case key; nothing else is left behind."""
    path, text = recording(recorded)
    assert path.startswith("cassettes/test_app/default/test_printer-")
    assert text.count("- request:") == 2
    assert "Bearer" not in text
    assert not [p for p in recorded.paths() if ".part" in p]


def test_missing_keeps_what_is_there(recorded, server):
    """A test that has a cassette is replayed, not recorded again; its row has the latency of then."""
    sent = len(server.received)
    again = run(recorded, server, "-q", "--planguard-record=missing")
    assert dict(again.outcomes) == {"passed": 1}
    assert len(server.received) == sent
    assert recording(again.example) == recording(recorded)
    first, later = (rows(one)[0] for one in (recorded, again.example))
    took = [attempt["latency_s"] for attempt in first["judged"][0]["attempts"]]
    assert first["latency_s"] == sum(took) > 0
    assert later["latency_s"] == first["latency_s"]


def test_all_records_anew(recorded, server):
    """The whole conversation is recorded again."""
    sent = len(server.received)
    again = run(recorded, server, "-q", "--planguard-record=all")
    assert dict(again.outcomes) == {"passed": 1}
    assert len(server.received) == sent + 2


REWORDED = (
    "Write a ticket as JSON with title, priority and steps. Task: ",
    "Write one ticket as JSON: title, priority and steps. Task: ",
)


def test_a_stale_recording_is_an_outcome_that_a_test_may_expect(recorded, server):
    """`judge(expect="stale")` holds where the prompt was reworded, and fails where the cassette still fits."""
    server.stop()
    asked = ("def test_printer():\n", "def test_printer(planguard):\n")
    expecting = ('the printer is on fire")\n', 'the printer is on fire")\n    planguard.judge(expect="stale")\n')
    later = run(recorded.replaced(*REWORDED).replaced(*asked).replaced(*expecting), server)
    assert dict(later.outcomes) == {"passed": 1}
    fits = run(recorded.replaced(*asked).replaced(*expecting), server)
    assert dict(fits.outcomes) == {"failed": 1}
    assert "planguard: expected stale, got converged" in fits.stdout


def test_a_reworded_prompt_is_stale(recorded, server):
    """Locally the test passes, is marked stale, and the section says what changed and how to record again."""
    server.stop()
    later = run(recorded.replaced(*REWORDED), server)
    assert dict(later.outcomes) == {"passed": 1}
    assert rows(later.example)[0]["outcome"] == "stale"
    assert (
        "1 stale cassette: convergence is unproven\n  (the request has changed since it was recorded)\n" in later.stdout
    )
    assert "    pytest test_app.py::test_printer --planguard-record=stale" in later.stdout


@pytest.mark.parametrize(("args", "env"), [(["--planguard-stale=fail"], {}), ([], {"CI": "1"})], ids=["option", "ci"])
def test_a_stale_recording_can_fail(recorded, server, args, env):
    """In CI, or where asked for, stale fails as such, with the command that records again."""
    server.stop()
    later = run(recorded.replaced(*REWORDED), server, *args, **env)
    assert dict(later.outcomes) == {"failed": 1}
    assert "planguard: the cassette is stale: it no longer fits what is sent" in later.stdout
    assert "next: pytest test_app.py::test_printer --planguard-record=stale" in later.stdout


def test_a_failing_body_is_told_that_its_recording_is_stale(recorded, server):
    """Also where stale is a warning: below the body's own failure, since the answers are those to another request."""
    server.stop()
    later = run(recorded.replaced(*REWORDED).replaced("    assert apps", "    assert not apps"), server)
    assert dict(later.outcomes) == {"failed": 1}
    section = later.stdout.partition("- planguard -")[2]
    assert "planguard: the cassette is stale: it no longer fits what is sent\n  request 1 " in section
    assert "next: pytest test_app.py::test_printer --planguard-record=stale # about 2 calls" in section


def test_stale_records_only_what_no_longer_fits(recorded, server):
    """The command that the message names brings a fitting cassette; a second time it does nothing."""
    changed = run(recorded.replaced(*REWORDED), server, "-q", "--planguard-record=stale")
    assert dict(changed.outcomes) == {"passed": 1}
    assert recording(changed.example)[1] != recording(recorded)[1]
    sent = len(server.received)
    again = run(changed.example, server, "-q", "--planguard-record=stale", "--planguard-stale=fail")
    assert dict(again.outcomes) == {"passed": 1}
    assert len(server.received) == sent


def test_strict_fails_on_any_drift(recorded, server):
    """--planguard-match=strict: a reworded prompt finds no answer."""
    server.stop()
    later = run(recorded.replaced(*REWORDED), server, "--planguard-match=strict")
    assert dict(later.outcomes) == {"failed": 1}
    assert "No recorded answer fits this request" in later.stdout
    assert "{+one ticket as JSON:+}" in later.stdout
    assert "httpx2" not in later.stdout
    assert rows(later.example)[0]["outcome"] == "stale"


def test_the_marker_may_choose_the_match_mode(recorded, server):
    """match= of the marker holds where the command line says nothing."""
    server.stop()
    later = run(recorded.replaced(*REWORDED).replaced("(TICKET)", "(TICKET, match='strict')"), server)
    assert dict(later.outcomes) == {"failed": 1}
    served = run(
        recorded.replaced(*REWORDED).replaced("(TICKET)", "(TICKET, match='strict')"), server, "--planguard-match=gated"
    )
    assert dict(served.outcomes) == {"passed": 1}


def test_a_variant_has_recordings_of_its_own(recorded, server):
    """Recording into one variant never touches another; each is replayed by its name."""
    both = run(recorded, server, "-q", "--planguard-record=all", "--planguard-variant=new").example
    paths = both.paths(".yaml")
    assert [p.split("/")[2] for p in paths] == ["default", "new"]
    assert both.read(paths[0]) == recording(recorded)[1]
    server.stop()
    assert dict(run(both, server, "-q", "--planguard-variant=new").outcomes) == {"passed": 1}
    assert rows(run(both, server, "-q", "--planguard-variant=new").example)[0]["variant"] == "new"


def test_in_ci_only_the_command_line_records(server):
    """An ini value that records is ignored where CI is set; the option is not."""
    ini = app(ONE).with_files({"pytest.ini": "[pytest]\nplanguard_record = missing\n"})
    quiet = run(ini, server, "-q", CI="1")
    assert dict(quiet.outcomes) == {"failed": 1}
    assert not server.received
    assert dict(run(ini, server, "-q").outcomes) == {"passed": 1}
    assert dict(run(ini, server, "-q", "--planguard-record=missing", CI="1").outcomes) == {"passed": 1}


def test_an_existing_cassette_is_used_in_place(recorded, server):
    """cassette= names a file, relative to the test file."""
    path, text = recording(recorded)
    moved = (
        recorded.without(path)
        .with_files({"mine/old.yaml": text})
        .replaced("(TICKET)", "(TICKET, cassette='mine/old.yaml')")
    )
    server.stop()
    assert dict(run(moved, server, "-q").outcomes) == {"passed": 1}


def test_a_folder_for_all_recordings(server):
    """planguard_cassette_dir names another folder beside the test file."""
    example = app(ONE).with_files({"pytest.ini": "[pytest]\nplanguard_cassette_dir = tapes\n"})
    done = run(example, server, "-q", "--planguard-record=missing")
    assert recording(done.example)[0].startswith("tapes/test_app/default/test_printer-")


def test_an_answer_nobody_asked_for(recorded, server):
    """Recorded answers that are left over are reported."""
    server.stop()
    lazy = recorded.replaced(
        'assert apps.careful(ask.plain, "the printer is on fire")', "planguard.check(GOOD)"
    ).replaced("def test_printer()", "def test_printer(planguard)")
    later = run(lazy, server)
    assert dict(later.outcomes) == {"failed": 1}
    assert "planguard: 2 recorded answers were never requested" in later.stdout
    assert "next: pytest test_app.py::test_printer --planguard-record=all" in later.stdout


def test_a_secret_in_a_prompt_fails_the_recording(server):
    """It is kept off the disk, everywhere, and the test says so."""
    key = "sk-proj-abcdefghijklmnop1234567890"
    leaky = app(ONE.replace("on fire", f"on fire {key}"))
    done = run(leaky, server, "--planguard-record=missing")
    assert dict(done.outcomes) == {"failed": 1}
    assert "planguard: a secret was kept out of the cassette: " in done.stdout
    left = [p for p in done.example.paths() if key in done.example.read(p)]
    assert left == ["test_app.py"]


def test_a_broken_recording_is_one_clear_error(recorded, server):
    """The file is named with the way out, and it is not overwritten."""
    path, _ = recording(recorded)
    broken = recorded.with_files({path: "version: 1\ninteractions: [\n"})
    done = run(broken, server, "-q")
    assert dict(done.outcomes) == {"error": 1}
    assert path.rpartition("/")[2] in done.stdout
    assert "Traceback" not in done.stdout
    assert done.example.read(path) == broken.read(path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_disk_that_is_full_is_the_failure(server):
    """It is said once, without the frames of a client and a journal: the test can do nothing about it."""
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (%s, -1))"
    full = app(
        f"""
import resource

@pytest.mark.planguard(TICKET)
def test_printer():
    {limit % 100}
    try:
        apps.careful(ask.plain, "the printer is on fire")
    finally:
        {limit % -1}
"""
    )
    done = run(full, server, "--planguard-record=missing")
    assert dict(done.outcomes) == {"failed": 1}
    assert done.stdout.count("cannot be written (File too large); make room") == 1
    assert "cassette_journal.py" not in done.stdout


def test_a_failed_test_keeps_what_its_recording_replaced(recorded, server):
    """All that was asked was answered, so it is the evidence of what failed; the cassette before it is kept."""
    halfway = recorded.replaced(
        "text = ask(messages)\n        errors", "text = ask(messages)\n        assert 0, 'oh'\n        errors"
    )
    done = run(halfway, server, "-q", "--planguard-record=all")
    assert dict(done.outcomes) == {"failed": 1}
    path, text = recording(done.example)
    assert text.count("- request:") == 1
    assert done.example.read(f".planguard/replaced/{path}/1.kept") == recording(recorded)[1]
    assert f"note: the cassette before this one is kept: planguard cassette restore {path}\n" in done.stdout


SHARED = """
@pytest.mark.planguard(TICKET, cassette="one.yaml")
@pytest.mark.parametrize("n", [1, 2])
def test_printer(n):
    assert apps.careful(ask.plain, "the printer is on fire")
"""


def test_workers_may_not_share_a_recording(server):
    """Two tests with one cassette refuse to record under xdist; each with its own may."""
    refused = run(app(SHARED), server, "-q", "-n", "2", "--planguard-record=all", plugins=("planguard", "xdist"))
    assert "one.yaml is the cassette of 2 tests" in refused.output
    assert not server.received
    own = app(SHARED.replace(', cassette="one.yaml"', ""))
    done = run(own, server, "-q", "-n", "2", "--planguard-record=all", plugins=("planguard", "xdist"))
    assert dict(done.outcomes) == {"passed": 2}
    assert len(done.example.paths(".yaml")) == 2


def test_the_model_and_the_recording_are_in_the_row(recorded, server):
    """A row names its cassette, relative to the root folder, with its digest and length, and who answered."""
    server.stop()
    (row,) = rows(run(recorded, server, "-q").example)
    path, text = recording(recorded)
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert (row["cassette"], row["cassette_digest"], row["exchanges"]) == (path, digest, 2)
    assert row["model"] == "m"
    assert row["outcome"] == "converged"
    answers = [a["answer"] for c in row["judged"] for a in c["attempts"]]
    assert '"hi"' in answers[0]
    assert answers[1] == json.dumps(PRINTER)


def test_an_orphan_is_named_when_the_whole_suite_ran(recorded, server):
    """A renamed test leaves its cassette behind; a part of the suite, or a cassette of others, says nothing."""
    server.stop()
    path, text = recording(recorded)
    renamed = recorded.with_files({path.replace("printer-", "gone-"): text, "cassettes/test_app/other.yaml": text})
    said = run(renamed, server).stdout
    assert "1 cassette is used by no test; remove or rename:\n  " + path.replace("printer-", "gone-") in said
    assert "used by no test" not in run(renamed, server, "test_app.py").stdout
    spread = run(renamed, server, "-n", "2", plugins=("planguard", "xdist")).stdout
    assert "1 cassette is used by no test; remove or rename:\n  " + path.replace("printer-", "gone-") in spread
    assert (
        "used by no test" not in run(renamed, server, "-n", "2", "test_app.py", plugins=("planguard", "xdist")).stdout
    )


def test_a_test_that_skips_half_way_leaves_no_recording(server):
    """Half a conversation is no cassette, not even the first one."""
    skips = app(ONE).replaced(
        "        errors = check(text)\n        if not errors:\n            return text\n        messages",
        "        __import__('pytest').skip('later')\n        messages",
    )
    done = run(skips, server, "-q", "--planguard-record=missing")
    assert dict(done.outcomes) == {"skipped": 1}, done.output
    assert not done.example.paths(".yaml")


def test_inside_a_cassette_of_pytest_recording(recorded, server):
    """A test with both markers talks to our cassette, in both directions."""
    both = app(ONE.replace("@pytest.mark.planguard", "@pytest.mark.vcr\n@pytest.mark.planguard"))
    plugins = ("planguard", "recording")
    live = run(both, server, "-q", "--planguard-record=missing", plugins=plugins)
    assert dict(live.outcomes) == {"passed": 1}, live.output
    assert len(live.example.paths(".yaml")) == 1
    server.stop()
    assert dict(run(live.example, server, "-q", plugins=plugins).outcomes) == {"passed": 1}


def test_nothing_but_errors_is_no_recording(lookalike):
    """A body that raised over an outage leaves its exchanges as .part, says so, and is recorded by the next run."""
    lookalike.script(PRINTER, PRINTER, when="printer", failures=((500, {}),))
    failed = run(app(ONE), lookalike, "--planguard-record=missing")
    assert dict(failed.outcomes) == {"failed": 1}
    assert not failed.example.paths(".yaml")
    (part,) = failed.example.paths(".part")
    name = part.rpartition("/")[2]
    assert f"note: the endpoint answered nothing but errors; its exchanges are kept in {name}\n" in failed.stdout
    assert "what was recorded is kept" not in failed.output, "the report of a failed test says it"
    again = run(failed.example, lookalike, "--planguard-record=missing")
    assert dict(again.outcomes) == {"passed": 1}, again.output
    assert recording(again.example)[1].count("- request:") == 1


def test_an_error_that_the_test_expects_is_recorded(lookalike):
    """A body that passes has said what it wants: its cassette holds the provider's error."""
    lookalike.script(PRINTER, PRINTER, when="printer", failures=((500, {}),))
    expecting = ONE.replace("    assert", "    with pytest.raises(KeyError):\n        ")
    done = run(app(expecting), lookalike, "--planguard-record=missing")
    assert "code: 500" in recording(done.example)[1]


def test_a_dead_endpoint_is_not_blamed_on_the_client(server):
    """The message names the host, and what to do if nothing listens there."""
    server.stop()
    failed = run(app(ONE), server, "--planguard-record=missing")
    assert dict(failed.outcomes) == {"failed": 1}
    assert "planguard: nothing was recorded of 127.0.0.1\n" in failed.stdout
    assert "If the endpoint is down, start it or correct its address" in failed.stdout
    assert "around the cassette" not in failed.stdout


def test_ctrl_c_says_where_the_recording_is(server):
    """One line with the command that makes a cassette of it."""
    test = ONE + "    raise KeyboardInterrupt\n"
    done = run(app(test), server, "--planguard-record=missing")
    (part,) = [path for path in done.example.paths() if path.endswith(".part")]
    assert "planguard: what was recorded is kept; to make a cassette of it: planguard cassette recover" in done.stdout
    assert part in done.stdout
