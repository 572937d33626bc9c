"""AtomicGuard's levels reach contracts and policies; what was not verified is rejected with that word."""

import json

import pytest

from pytest_planguard import Contract, plan_rules
from pytest_planguard.errors import UsageError
from pytest_planguard.plans.judging.policy import policy_of

STEPS = [
    {
        "step_id": f"s{n}",
        "name": f"s{n}",
        "guard": "syntax",
        "retry_budget": 2,
        "preconditions": [],
        "effects": [f"e{n}"],
    }
    for n in range(6)
]
PLAN = json.dumps(
    {
        "plan_id": "p",
        "initial_state": ["start"],
        "goal_state": [f"e{n}" for n in range(6)],
        "total_retry_budget": 20,
        "steps": [{**step, "preconditions": [], "dependencies": []} for step in STEPS],
    }
)
UNVERIFIED = "unverified: exploration stopped after 5 execution states"


def test_a_level_rejects_in_a_contract_what_the_rules_let_pass() -> None:
    """A budget over R_max, a guard outside the catalogue, and a search that was cut short."""
    assert Contract(None, rules=plan_rules("atomicguard")).check(PLAN).ok
    assert Contract(None, rules=plan_rules("atomicguard", level="expansive")).check(PLAN).ok
    for options, message in (
        ({"level": "medium", "r_max": 10}, "the plan may take 20 attempts, more than 10"),
        ({"level": "expansive", "max_explorations": 5}, UNVERIFIED),
        ({"level": "minimal", "catalogue": ["tests"]}, 's0 names "syntax", which is not in the catalogue'),
    ):
        verdict = Contract(None, rules=plan_rules("atomicguard", **options)).check(PLAN)  # type: ignore[arg-type]
        assert not verdict.ok
        assert verdict.errors[0].message == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["level=medium", "r_max=10"], "the plan may take 20 attempts, more than 10"),
        (["level=expansive", "max_explorations=5"], UNVERIFIED),
        (["level=minimal", "catalogue=tests,lint"], 's0 names "syntax", which is not in the catalogue'),
    ],
)
def test_words_of_the_ini_file_name_a_level(words: list[str], message: str) -> None:
    """The same through a policy, which the ini file and the command line make."""
    report = policy_of(words).judge({"plan.json": PLAN})["plan.json"]
    assert not report.ok
    assert message in [finding.message for finding in report.findings]
    assert policy_of().judge({"plan.json": PLAN})["plan.json"].ok


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["level=high"], "unknown level 'high'. Known: minimal, medium, expansive"),
        (["level=medium", "r_max=many"], "r_max=many: expected a whole number, for example r_max=100"),
        (["level=medium", "r_max=0"], "r_max must be at least 1, got 0"),
    ],
)
def test_wrong_words_about_levels_are_answered(words: list[str], message: str) -> None:
    """As any other wrong word of a policy."""
    with pytest.raises(UsageError) as error:
        policy_of(words)
    assert str(error.value) == message


def test_a_format_without_levels_refuses_one() -> None:
    """Levels are for step plans."""
    with pytest.raises(UsageError) as error:
        plan_rules("spec-kit", level="medium")
    assert str(error.value) == "level=medium: levels are for the format atomicguard, got spec-kit; leave out level"


def test_the_digest_changes_with_a_level() -> None:
    """A row tells which level judged it."""
    words: list[list[str]] = [[], ["level=medium"], ["level=expansive"], ["level=medium", "r_max=7"], ["catalogue=a"]]
    assert len({policy_of(one).digest for one in words}) == len(words)
