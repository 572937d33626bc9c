"""The small valid plans of every format: fixtures/plans."""

from pytest_planguard.plans.judging.fix import Fix, fix_plan
from pytest_planguard.plans.judging.judge_files import PlanReport
from pytest_planguard.plans.judging.policy import policy_of

from .paths import ROOT

FOLDER = ROOT / "fixtures" / "plans"
FILES = sorted(path for path in FOLDER.iterdir() if path.is_file())
NAMES = [path.stem for path in FILES]


def text_of(name: str) -> tuple[str, str]:
    """A fixture's file name and text."""
    path = next(path for path in FILES if path.stem == name)
    return path.name, path.read_text(encoding="utf-8")


def fix_artifact(text: str, kind: str) -> Fix:
    """Fix an artifact of autospec, including words of its schema."""
    policy = policy_of([f"autospec-{kind}"])

    def judge(changed: str) -> PlanReport:
        return policy.judge({"a.yaml": changed}, {"a.yaml"})["a.yaml"]

    return fix_plan(judge(text), judge, schema=True)


EIGHT_ERRORS = """\
feature:
  name: x
  status: pending
user_stories:
  - id: US-001
    title: t
    priority: P9
    acceptance_scenarios: []
"""
"""A spec of autospec that is sound YAML and breaks its schema eight times: six missing fields, two wrong words."""
