"""`planguard_vcr`: an existing suite under `@pytest.mark.vcr` is judged without a change to its tests or cassettes."""

import pytest

from ..support.lookalike import Lookalike
from .apps import APPS
from .projects import PRINTER, project, rows, run, script

ASK = """
import json, os, urllib.request
from contracts import Ticket

FORMAT = {"type": "json_schema", "json_schema": {"name": "Ticket", "schema": Ticket.model_json_schema()}}


def ask(messages, **more):
    body = json.dumps({"model": "m", "messages": messages, **more}).encode()
    request = urllib.request.Request(
        os.environ["LOOKALIKE"] + "/v1/chat/completions", body, {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]


def demanding(messages):
    return ask(messages, response_format=FORMAT)
"""
SUITE = """
import apps, ask


@pytest.mark.vcr
def test_careful():
    assert apps.careful(ask.demanding, "printer")


@pytest.mark.vcr
def test_resends():
    assert apps.resends(ask.demanding, "tomato")


@pytest.mark.vcr
def test_without_a_schema():
    assert apps.careful(ask.ask, "printer")


def test_of_another_kind():
    pass
"""
REFUSED = """
import urllib.error, ask


@pytest.mark.vcr
def test_refused():
    with pytest.raises(urllib.error.HTTPError):
        ask.demanding([{"role": "user", "content": "nothing"}])
"""
SHARED = """
import apps, ask

pytestmark = [pytest.mark.vcr, pytest.mark.default_cassette("both.yaml")]


@pytest.fixture
def vcr_config():
    return {"match_on": ["method", "uri", "body"]}


def test_printer():
    assert apps.careful(ask.demanding, "printer")


def test_tomato():
    assert apps.careful(ask.demanding, "tomato")
"""
PLUGINS = ("planguard", "recording")


@pytest.fixture(scope="module")
def suite():
    """The suite with the cassettes that pytest-recording has made, and no server."""
    server = script(Lookalike())
    made = run(project(SUITE, apps=APPS, ask=ASK), server, "-q", "--record-mode=once", plugins=PLUGINS)
    server.stop()
    assert dict(made.outcomes) == {"passed": 4}, made.output
    assert not made.example.paths(".planguard/last.jsonl")
    return made.example, server


def replay(suite, *ini, plugins=PLUGINS):
    """Run the suite on its cassettes with these ini values."""
    example, server = suite
    return run(example, server, *(f"--override-ini=planguard_vcr{each}" for each in ini), plugins=plugins)


def test_report_changes_no_outcome(suite):
    """Every test passes as before. The summary names the retry without feedback and the tests that were not judged."""
    told = replay(suite, "=report")
    assert dict(told.outcomes) == {"passed": 4}, told.output
    assert "3 cases: 1 converged, 1 unjudged" in told.stdout.replace("1 stuck, ", "")
    assert "test_app.py::test_resends" in told.stdout
    assert "1 test under @pytest.mark.vcr has answers that nothing judges" in told.stdout
    assert [(row["test"].partition("::")[2], row["result"]) for row in rows(told.example)] == [
        ("test_careful", "passed"), ("test_resends", None), ("test_without_a_schema", None),
    ]  # fmt: skip


def test_fail_fails_what_is_bad(suite):
    """The failure shows the conversation, as with our marker."""
    told = replay(suite, "=fail")
    assert dict(told.outcomes) == {"passed": 3, "failed": 1}, told.output
    assert "feeds back" in told.stdout or "missing" in told.stdout
    assert "Traceback" not in told.stdout


def test_a_named_contract_judges_what_demands_no_schema(suite):
    """With one more ini value every answer is judged."""
    told = replay(suite, "=report", "_contracts=contracts:TICKET")
    assert "unjudged" not in told.stdout
    assert [row["outcome"] for row in rows(told.example)][::2] == ["converged", "converged"]


def test_a_contract_that_is_none_is_named(suite):
    """A contract that can't be imported is a usage error in the test that needs it, with the value to write."""
    told = replay(suite, "=report", "_contracts=contracts:NOPE")
    assert "planguard_vcr_contracts: contracts:NOPE is not a contract as module:NAME" in told.stdout


def test_a_test_that_got_only_errors_is_no_case():
    """A test of error handling has no answer, so the list doesn't ask for a contract to judge it."""
    server = Lookalike()
    server.script(PRINTER, PRINTER, failures=((401, {}),))
    told = run(
        project(REFUSED, ask=ASK), server, "--record-mode=once", "--override-ini=planguard_vcr=report", plugins=PLUGINS
    )
    assert dict(told.outcomes) == {"passed": 1}, told.output
    assert "unjudged" not in told.stdout


def test_a_missing_extra_is_named_before_any_test():
    """Without the package for JSON Schema the run doesn't start, instead of failing tests under `report`."""
    asked = project(SUITE, apps=APPS, ask=ASK, conftest='import sys\nsys.modules["jsonschema_rs"] = None')
    told = run(asked, script(Lookalike()), "--override-ini=planguard_vcr=report", plugins=PLUGINS)
    assert dict(told.outcomes) == {}
    assert "pip install 'pytest-planguard[jsonschema]'. Or name a contract in planguard_vcr_contracts" in told.output


def test_workers_report_alike(suite):
    """Rows reach the controller of xdist."""
    told = replay(suite, "=report", plugins=(*PLUGINS, "xdist"))
    spread = run(suite[0], suite[1], "-n", "2", "--override-ini=planguard_vcr=report", plugins=(*PLUGINS, "xdist"))
    assert [row["outcome"] for row in rows(told.example)] == [row["outcome"] for row in rows(spread.example)]


def test_off_is_the_default(suite):
    """Nothing is judged, and no run is kept."""
    assert "planguard" not in run(*suite, plugins=PLUGINS).stdout.partition("collected")[2]


@pytest.mark.parametrize("then", ["recorded", "replayed"])
def test_a_test_is_judged_by_its_own_part_of_a_shared_cassette(then):
    """It is judged by the part that it records, and later by the part that it gets."""
    server, judged = script(Lookalike()), "--override-ini=planguard_vcr=report"
    made = run(project(SHARED, apps=APPS, ask=ASK), server, "--record-mode=new_episodes", judged, plugins=PLUGINS)
    server.stop()
    told = made if then == "recorded" else run(made.example, server, judged, plugins=PLUGINS)
    assert dict(told.outcomes) == {"passed": 2}, told.output
    assert [[len(each["attempts"]) for each in row["judged"]] for row in rows(told.example)] == [[2], [2]]


OURS = """
import apps, ask


class Keys:
    pass


@pytest.fixture(scope="module")
def vcr_config():
    def without_names(request):
        request.body = request.body.replace(b"Jane Roe", b"NAME")
        return request

    def without_cost(response):
        response["headers"].pop("set-cookie", None)
        response["body"]["string"] = response["body"]["string"].replace(b"Jane Roe", b"NAME")
        return response

    return {
        "filter_query_parameters": ["sid"], "before_record_request": without_names, "match_on": ["method", "body"],
        "before_record_response": without_cost, "ignore_hosts": ["elsewhere.test"], "persister": Keys,
    }


@pytest.mark.planguard(TICKET)
def test_named():
    apps.careful(ask.ask, "printer of Jane Roe")
"""


def test_our_marker_follows_a_vcr_config():
    """Hooks apply before anything is written and in replays; `body` in `match_on` is strict; the rest is named."""
    server = script(Lookalike())
    asked = project(OURS, apps=APPS, ask=ASK)
    made = run(asked, server, "--planguard-record=missing", plugins=PLUGINS)
    assert "planguard ignores these settings of vcr_config: persister" in made.stdout
    assert dict(made.outcomes)["passed"] == 1, made.output
    server.stop()
    (cassette,) = [path for path in made.example.paths(".yaml") if "cassettes" in path]
    written = made.example.read(cassette)
    assert "Jane Roe" not in written
    assert "printer of NAME" in written
    assert dict(run(made.example, server, plugins=PLUGINS).outcomes)["passed"] == 1
    reworded = made.example.replaced("printer of", "the printer of")
    for compared in (reworded, reworded.replaced('"method", "body"', '"raw_body"')):
        assert "the request has changed" in run(compared, server, plugins=PLUGINS).stdout
    assert dict(run(reworded.replaced(', "body"', ""), server, plugins=PLUGINS).outcomes)["passed"] == 1


def test_drift_lists_requests_that_changed(suite):
    """A prompt that was reworded still gets its old answer from vcrpy; the list shows the change and the command."""
    example, server = suite
    reworded = example.replaced('demanding, "printer")', 'demanding, "printer, please")')
    told = run(reworded, server, "--planguard-drift", plugins=PLUGINS)
    assert dict(told.outcomes) == {"passed": 4}, told.output
    assert "1 drifted cassette: the code no longer sends what was recorded" in told.stdout
    assert "a request differs from recorded interaction 1 in messages[0].content" in told.stdout
    assert "[-printer-]{+printer, please+}" in told.stdout
    assert "pytest test_app.py::test_careful --record-mode=rewrite" in told.stdout
    assert "drifted" not in run(example, server, "--planguard-drift", plugins=PLUGINS).stdout
