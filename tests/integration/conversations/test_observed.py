"""The app owns the loop: recorded against a look-alike, replayed with it stopped, judged when the test ends."""

import re
from collections.abc import Iterator

import pytest

from pytest_planguard.testing.example import Example, Run

from ...support.lookalike import Lookalike
from ...support.nightly import at_night
from ..projects import app, rows, run, script

PLUGINS = ("planguard", "asyncio")
LOOPS = ("-o", "asyncio_default_fixture_loop_scope=function")


def recorded(example: Example, server: Lookalike, *args: str) -> tuple[Run, Run]:
    """The run that records and, with the server stopped, the run that replays."""
    live = run(example, server, *LOOPS, "--planguard-record=missing", *args, plugins=PLUGINS)
    server.stop()
    return live, run(live.example, server, *LOOPS, *args, plugins=PLUGINS)


CORRECT = """
@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("how", ask.SYNC, ids=lambda f: f.__name__)
def test_sync(how):
    assert apps.careful(how, "the printer is on fire")

@pytest.mark.asyncio
@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("how", ask.ASYNC, ids=lambda f: f.__name__)
async def test_async(how):
    assert await apps.careful_async(how, "the printer is on fire")
"""


def test_a_correct_app_passes_in_every_dialect_and_style(server):
    """OpenAI chat and responses and Anthropic messages, sync, async and streaming: recorded, then replayed offline."""
    live, replayed = recorded(app(CORRECT), server)
    assert dict(live.outcomes) == {"passed": 12}, live.stdout
    assert dict(replayed.outcomes) == {"passed": 12}, replayed.stdout
    assert len(live.example.paths(".yaml")) == 12
    found = rows(replayed.example)
    assert {r["outcome"] for r in found} == {"converged"}
    assert {len(c["attempts"]) for r in found for c in r["judged"]} == {2}
    assert [r["judged"] for r in rows(live.example)] == [r["judged"] for r in found]
    assert "12 cases: 12 converged; 24 attempts" in replayed.stdout


ONE_IN = 1 if at_night() else 3
"""By day each bug has one provider: a conversation is judged without regard to the dialect that it was read from."""
BUGS = """
def providers(bug):
    drawn = [ask.chat, ask.responses, ask.messages][bug % ONE_IN :: ONE_IN]
    return pytest.mark.parametrize("how", drawn, ids=lambda f: f.__name__)


@pytest.mark.planguard(TICKET)
@providers(0)
def test_sends_the_prompt_again(how):
    apps.resends(how, "the printer")


@pytest.mark.planguard(TICKET)
@providers(1)
def test_mixes_up_conversations(how):
    apps.mixes_up(how, "the printer", "a tomato")


@pytest.mark.planguard(TICKET)
@providers(2)
def test_feeds_back_the_first_error_only(how):
    apps.first_only(how, "the printer")


@pytest.mark.planguard(TICKET, coverage="first")
@providers(0)
def test_the_first_error_is_enough(how):
    apps.first_only(how, "the printer")


@pytest.mark.planguard(TICKET)
@providers(1)
def test_takes_a_cut_off_answer(how):
    with ask.using(max_tokens=50):
        apps.repairs(how, "a long story")


@pytest.mark.planguard(TICKET)
@providers(2)
def test_never_stops(how):
    apps.careful(how, "a stubborn mule", attempts=5)
""".replace("ONE_IN", str(ONE_IN))


@pytest.fixture(scope="module")
def buggy() -> Iterator[tuple[Run, Run]]:
    """The buggy apps, recorded and replayed, once for all tests that look at them."""
    server = script(Lookalike())
    # Apps that never stop are recorded to their end: a limit that is named replaces the one that would stop them.
    yield recorded(app(BUGS), server, "--planguard-record-max-calls=500")
    server.stop()


def failures(run: Run) -> dict[str, str]:
    """What each failure says, by the test's name."""
    shown = run.stdout.partition("= FAILURES =")[2].partition("= planguard =")[0]
    blocks = re.split(r"(?m)^_{3,} (\S+) _{3,}$", shown)
    return dict(zip(blocks[1::2], blocks[2::2], strict=True))


def each_provider(run: Run, test: str) -> list[str]:
    """What the failures of a test say; it must fail with every provider that it has."""
    found = [text for name, text in failures(run).items() if name.startswith(f"{test}[")]
    assert len(found) == 3 // ONE_IN, run.stdout
    return found


@pytest.mark.parametrize("replay", [False, True], ids=["cassette", "replay"])
class TestClassicBugs:
    """Each bug fails with all its providers, while it is recorded and when it is replayed with the server stopped."""

    def test_the_prompt_is_sent_again(self, buggy, replay):
        """A retry without any feedback loses every finding, and the message names them."""
        for said in each_provider(buggy[replay], "test_sends_the_prompt_again"):
            assert said.count("-> request of attempt 2: MISSING") == 2
            assert "x priority (line 1, column" in said
            assert "x steps (line 1, column" in said

    def test_the_feedback_reaches_the_wrong_conversation(self, buggy, replay):
        """Each retry has the other conversation's findings, so both drop their own."""
        for said in each_provider(buggy[replay], "test_mixes_up_conversations"):
            assert len(re.findall("-> request of attempt 2: (MISSING|WRONG)", said)) == 3
            assert said.count("MISSING: planguard changed the answer and ran the app again: ") == 2
            assert "if your own wording says it" not in said

    def test_only_the_first_error_is_fed_back(self, buggy, replay):
        """By default each finding must be fed back: the dropped one is missing, the other is shown (source row 15)."""
        for said in each_provider(buggy[replay], "test_feeds_back_the_first_error_only"):
            assert said.count("-> request of attempt 2: fed back") == 1
            assert said.count("-> request of attempt 2: MISSING") == 1

    def test_the_first_error_is_enough_where_the_marker_says_so(self, buggy, replay):
        """With coverage="first" the same app passes."""
        assert not [name for name in failures(buggy[replay]) if name.startswith("test_the_first_error_is_enough")]
        assert dict(buggy[replay].outcomes) == {"failed": 15 // ONE_IN, "passed": 3 // ONE_IN}

    def test_a_cut_off_answer_is_taken(self, buggy, replay):
        """The app closes the braces by hand; the cassette shows that the answer never ended."""
        for said in each_provider(buggy[replay], "test_takes_a_cut_off_answer"):
            assert "[truncated]" in said
            assert "finish length" in said
            advice = "tokens: let it allow more, or ask for less; the current limit cuts answers off"
            assert advice in said.partition("next: the app allows ")[2]
            assert "--planguard-record" not in said

    def test_it_does_not_stop(self, buggy, replay):
        """Five attempts where three are allowed are two too many."""
        for said in each_provider(buggy[replay], "test_never_stops"):
            assert "FAIL       stops: " in said
            assert "next: let the loop end after attempt 3, or allow more with max_attempts=5\n" in said


SWALLOWS = """
@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("how", [ask.chat, ask.responses, ask.messages], ids=lambda f: f.__name__)
def test_swallows(how):
    assert apps.swallows(how, "the printer is on fire")
"""


def test_a_swallowed_miss_fails_the_test(server):
    """The app turns our error into its fallback and stays content: the test fails all the same, in every dialect."""
    live = run(app(SWALLOWS), server, "--planguard-record=missing")
    assert dict(live.outcomes) == {"passed": 3}, live.stdout
    server.stop()
    changed = live.example.replaced("the printer is on fire", "name three rivers of France, please, and nothing else")
    replayed = run(changed.replaced("Write a ticket as JSON with title, priority and steps. Task: ", ""), server)
    assert dict(replayed.outcomes) == {"failed": 3}
    assert replayed.stdout.count("No recorded answer fits this request") >= 3
    for how in ("chat", "responses", "messages"):
        assert f"test_swallows[{how}] - planguard: stale cassette: the request has changed" in replayed.stdout
        assert f"test_app.py::test_swallows[{how}]" in replayed.stdout.partition("to record:")[2]


STOPS = """
@pytest.mark.planguard(TICKET)
def test_gives_up():
    ask.chat([{"role": "user", "content": "the printer is on fire"}])
"""


def test_an_app_that_gives_up_is_told_to_ask_again(server):
    """The first thing to do is not a new cassette: a bad answer that nobody reacted to is the app's affair."""
    _, replayed = recorded(app(STOPS), server)
    assert dict(replayed.outcomes) == {"failed": 1}
    change = "next: change the prompt, the contract or the model"
    assert f"{change}; or let the app ask again and say what was wrong, up to max_attempts=3\n" in replayed.stdout
    assert "--planguard-record" not in replayed.stdout


def test_nothing_recorded_is_no_pass(server):
    """Without a cassette an app that swallows everything fails, with the command that records; nothing is sent."""
    said = run(app(SWALLOWS), server).stdout
    assert "planguard: nothing is recorded for this test yet" in said
    assert "to record: pytest 'test_app.py::test_swallows[chat]' --planguard-record=missing" in said
    assert not server.received
