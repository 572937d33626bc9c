"""The three levels for step plans: the original's verdicts, without its defects."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.plans.profiles.atomicguard import LEVELS, Level

from ...support.levels import LevelResult, at_level
from ...support.one_item import in_one_item
from ...support.plans import text_of

PLAN: dict[str, Any] = json.loads(text_of("atomicguard")[1])
GUARDS = {"syntax", "dynamic_test"}
ALL: tuple[Level, ...] = ("minimal", "medium", "expansive")


def changed(**changes: Any) -> dict[str, Any]:
    """The valid plan with other top-level fields; `second` changes fields of its second step."""
    second = {**PLAN["steps"][1], **changes.pop("second", {})}
    return {**PLAN, "steps": [PLAN["steps"][0], second], **changes}


def judged(plan: Any, level: Level = "medium", most: int = 100_000) -> LevelResult:
    """The verdict on a plan."""
    return at_level(json.dumps(plan), level, catalogue=GUARDS, max_explorations=most)


def chain(count: int) -> dict[str, Any]:
    """A plan whose steps follow each other."""
    steps = [
        {
            "step_id": f"s{n}",
            "name": f"step {n}",
            "guard": "syntax",
            "retry_budget": 1,
            "preconditions": [f"t{n}"],
            "effects": [f"t{n + 1}"],
            "dependencies": [f"s{n - 1}"] if n else [],
        }
        for n in range(count)
    ]
    return {
        "plan_id": "c",
        "initial_state": ["t0"],
        "goal_state": [f"t{count}"],
        "total_retry_budget": 99,
        "steps": steps,
    }


def wide(count: int) -> dict[str, Any]:
    """A plan whose steps do not wait for each other at all."""
    plan = chain(count)
    for step in plan["steps"]:
        step.update(dependencies=[], preconditions=["t0"])
    return {**plan, "goal_state": [f"t{n + 1}" for n in range(count)]}


@pytest.mark.parametrize("level", ALL)
def test_a_sound_plan_passes_every_level(level: Level) -> None:
    """The valid plan passes, inside a code fence too."""
    assert judged(PLAN, level, 3).passed
    assert judged(PLAN, level, 2).passed == (level != "expansive")
    assert at_level(f"```json\n{json.dumps(PLAN)}\n```", level).passed


DEFECTS = [
    (
        "cycle",
        changed(steps=[{**PLAN["steps"][0], "dependencies": ["endpoint"]}, PLAN["steps"][1]]),
        "dep-cycle",
        "minimal",
    ),
    ("unknown guard", changed(second={"guard": "dynamic_tests"}), "resource-exists", "minimal"),
    ("no retries", changed(second={"retry_budget": 0}), "root-shape", "minimal"),
    ("retries as text", changed(second={"retry_budget": "3"}), "root-shape", "minimal"),
    ("tokens as text", changed(second={"preconditions": "stored"}), "root-shape", "minimal"),
    ("no name", changed(second={"name": ""}), "root-shape", "minimal"),
    ("no steps", changed(steps=[]), "has-tasks", "minimal"),
    ("same id", changed(second={"step_id": "store", "dependencies": []}), "id-unique", "minimal"),
    ("dangling", changed(second={"dependencies": ["store", "stor"]}), "dep-exists", "minimal"),
    ("no start", {key: value for key, value in PLAN.items() if key != "initial_state"}, "pre-satisfied", "medium"),
    ("no goal", {key: value for key, value in PLAN.items() if key != "goal_state"}, "goal-reachable", "medium"),
    ("unreachable goal", changed(goal_state=["sold"]), "goal-reachable", "medium"),
    ("unmet need", changed(second={"preconditions": ["tested"]}), "pre-satisfied", "medium"),
    ("race", changed(second={"dependencies": []}), "race", "medium"),
    ("budgets", changed(total_retry_budget=5), "budget-sum", "medium"),
    ("too many retries", changed(total_retry_budget=101), "budget-sum", "medium"),
]


@in_one_item
@pytest.mark.parametrize(("plan", "code", "level"), [row[1:] for row in DEFECTS], ids=[row[0] for row in DEFECTS])
def test_each_defect_fails_from_its_level_on(plan: Any, code: str, level: Level) -> None:
    """Source rows 34 and 36 to 41: the level switch changes the verdict, the code says why."""
    for asked in ALL:
        result = judged(plan, asked)
        if ALL.index(asked) >= ALL.index(level):
            assert result.outcome == "failed"
            assert code in {finding.code for finding in result.findings}
        else:
            assert result.passed


@in_one_item
@pytest.mark.parametrize(
    "text", ["", "[]", "null", "3", '"plan"', "not json", '{"steps": null}', '{"steps": [1, null]}', "{"]
)
@pytest.mark.parametrize("level", ALL)
def test_no_root_crashes_a_level(text: str, level: Level) -> None:
    """Source row 35: whatever the text, a verdict with findings and no traceback."""
    result = at_level(text, level)
    assert result.outcome == "failed"
    assert result.findings


def test_all_dangling_dependencies_are_named() -> None:
    """Source row 40: not the first one only, each with its own place."""
    result = judged(changed(second={"dependencies": ["a", "store", "b"]}), "minimal")
    assert [finding.path for finding in result.findings] == [
        ("steps", 1, "dependencies", 0),
        ("steps", 1, "dependencies", 2),
    ]


def test_a_guard_with_a_typing_mistake_is_answered_with_the_nearest() -> None:
    """Source row 38: unknown name and nearest name."""
    (finding,) = judged(changed(second={"guard": "dynamic_tests"}), "minimal").findings
    assert finding.message == 'endpoint names "dynamic_tests", which is not in the catalogue'
    assert finding.hint == 'did you mean "dynamic_test"?'


def test_fourteen_steps_in_a_row_are_verified() -> None:
    """Source row 42: the original gives up on this chain and accepts it unseen."""
    assert judged(chain(14), "expansive", 15).passed


@pytest.mark.slow
def test_over_the_cap_is_unverified_and_not_passed() -> None:
    """Source row 42: a search that was cut short says so."""
    result = judged(wide(20), "expansive")
    assert result.outcome == "unverified"
    assert not result.passed
    assert [finding.message for finding in result.findings] == [
        "unverified: exploration stopped after 100,000 execution states"
    ]
    assert judged(wide(20), "medium").passed


@settings(deadline=None)
@given(st.permutations(chain(6)["steps"]), st.sampled_from(ALL))
def test_the_order_of_the_list_plays_no_part(steps: list[Any], level: Level) -> None:
    """Any order of the same steps gets the same verdict, at every level."""
    assert judged({**chain(6), "steps": steps}, level).passed
    broken = [{**step, "dependencies": []} if step["step_id"] == "s3" else step for step in steps]
    assert judged({**chain(6), "steps": broken}, level).passed == (level == "minimal")


def test_what_the_original_does_not_ask_warns_at_every_level() -> None:
    """Source row 43: a step that nothing needs passes the original; here it is named, and the level decides."""
    orphan = json.dumps(changed(steps=[*PLAN["steps"], {**PLAN["steps"][0], "step_id": "x", "effects": []}]))
    for level in ALL:
        report = policy_of([f"level={level}"]).judge({"plan.json": orphan})["plan.json"]
        assert report.ok
        assert [(f.code, f.severity.value) for f in report.findings] == [("useless-step", "warn")]
    assert not policy_of(["level=medium", "useless-step=retry"]).judge({"plan.json": orphan})["plan.json"].ok


def test_rules_beyond_the_level_warn_and_weighed_ones_fail() -> None:
    """An unmet need passes Minimal, as in the original; `pre-satisfied=retry` has the last word."""
    unmet = json.dumps(changed(second={"preconditions": ["tested"]}))
    assert policy_of(["level=minimal"]).judge({"plan.json": unmet})["plan.json"].ok
    assert not policy_of(["level=minimal", "pre-satisfied=retry"]).judge({"plan.json": unmet})["plan.json"].ok
    assert not policy_of(["level=medium"]).judge({"plan.json": unmet})["plan.json"].ok


def test_the_originals_verdicts_hold_by_the_word_of_a_user(shared_data: Path) -> None:
    """Source row 41: two plans with eight injected defects each, at three levels."""
    folder = shared_data / "atomicguard"
    sound = [json.loads((folder / "plans" / name).read_text()) for name in ("simple.json", "sdlc_v2.json")]
    catalogue = ",".join(sorted({step["guard"] for plan in sound for step in plan["steps"]}))
    names = {"minimal": "MinimalPlanGuard", "medium": "MediumPlanGuard", "expansive": "ExpansivePlanGuard"}
    rows = json.loads((folder / "oracle.json").read_text())
    for level in ALL:
        policy = policy_of(["atomicguard", f"level={level}", f"catalogue={catalogue}"])
        for row in rows:
            text = (folder / "plans" / row["file"]).read_text()
            report = policy.judge({"plan.json": text}, {"plan.json"})["plan.json"]
            assert report.ok == row[names[level]]["passed"], (row["file"], level, report.findings)
    assert set(LEVELS) == set(ALL)
