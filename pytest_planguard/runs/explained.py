"""What the rules mean that a run's rows name beside findings, checks and outcomes."""

from __future__ import annotations

from ..registry import CATALOGUE, Sort, explained
from .model.broken_rules import GAVE_UP, TEST

_FAILURES = (
    (
        f"{TEST}:failed",
        "The test fails for a reason that planguard does not know: an assertion of its own.",
        "A contract can hold while the app is wrong; both belong into a comparison.",
        "`assert ticket.priority == 'high'` fails after a good answer",
        "Read the test's own failure. Where the rule is about the answer, make it a constraint.",
    ),
    (
        f"{TEST}:error",
        "The test could not run: its setup or its teardown raised.",
        "Nothing was judged, so it is neither good nor bad.",
        "a fixture of the project raised KeyError",
        "Fix the fixture; the traceback stands in the test's report.",
    ),
    (
        GAVE_UP,
        "The app raised after a rejected answer; the rest of the rule is the exception's class.",
        "It is the consequence of another broken rule, and is listed so that a change of it shows.",
        "`gave_up:myapp.NoTicket`",
        "Fix the rule that is broken beside it.",
    ),
)
_OUTCOMES = (
    (
        "unrecorded",
        "A case asked for something that no cassette answers.",
        "Nothing was sent, so the model's answer is unknown: neither good nor bad.",
        "a new test without a cassette",
        "Record it: `pytest --planguard-record=missing`.",
    ),
)
CATALOGUE.register([*explained(Sort.FAILURE, _FAILURES), *explained(Sort.OUTCOME, _OUTCOMES)])
