"""What is decided about answers: see `tests/support/decisions.py`."""

from __future__ import annotations

from ...support.decisions import Case
from .feedback import bounds, prompts, requests, styles, templates
from .verdicts import answers, codes, constraints, flawed_constraints, json_schemas, models, names, places

CASES: tuple[Case, ...] = (
    *(json_schemas, models, places, codes, constraints, flawed_constraints, answers, names),
    *(bounds, styles, templates, requests, prompts),
)
