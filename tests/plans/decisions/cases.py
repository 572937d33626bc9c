"""What is decided about plan files: see `tests/support/decisions.py`."""

from __future__ import annotations

from ...support.decisions import Case
from .artifacts import artifacts, levels, loops, races, schemas
from .damage import answers, damaged, large
from .descriptions import described, in_described, wrong_descriptions
from .documents import detections, folders, formats, rendered, rule_settings, scores, signs, told
from .judged import judged, sentences
from .pieces import pieces, texts
from .settings import comments, fixes, policies, rules, traces, weighed

CASES: tuple[Case, ...] = (
    *(judged, sentences, pieces, texts, damaged, answers, large),
    *(scores, signs, told, detections, formats, rendered, folders),
    *(described, in_described, wrong_descriptions),
    *(artifacts, schemas, levels, races, loops),
    *(rules, rule_settings, policies, comments, weighed, fixes, traces),
)
