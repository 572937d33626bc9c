"""The promises about plans of other systems: for each a test, and a change of the code that must turn it red.

Numbers are those that the tests' docstrings give ("Source row 40").
"""

from __future__ import annotations

from typing import NamedTuple


class Break(NamedTuple):
    """One promise, its test, and what breaks it."""

    row: int
    promise: str
    test: str
    """Path below tests/plans and name, as pytest takes them."""
    file: str
    """Path below pytest_planguard."""
    old: str
    new: str


_AMELIA, _NODE = "compat/test_amelia.py::test_", "compat/test_amelia_node.py::test_"
_LEVELS, _ARTIFACTS = "compat/test_atomicguard.py::test_", "artifacts/test_artifacts.py::test_"
_CODE, _STEPS = "plans/compat/amelia.py", "plans/profiles/atomicguard.py"
_GUARD, _FIELDS = "plans/compat/atomicguard_levels.py", "plans/artifacts/field_checks.py"
_SCHEMAS, _WORDS = "plans/artifacts/schemas.py", "plans/compat/autospec_words.py"

BREAKS = (
    Break(
        4,
        "the result of a validation is frozen",
        f"{_AMELIA}the_result_is_frozen_and_valid_means_no_issues",
        _CODE,
        "@dataclass(frozen=True, slots=True)\nclass PlanValidationResult",
        "@dataclass(slots=True)\nclass PlanValidationResult",
    ),
    Break(
        5,
        "one issue is major, two are critical",
        f"{_AMELIA}compat_has_three_checks_and_three_severities",
        _CODE,
        "PlanSeverity.MAJOR if bad == 1",
        "PlanSeverity.MAJOR if bad <= 2",
    ),
    Break(
        6,
        "a plan has a task header",
        f"{_AMELIA}compat_has_three_checks_and_three_severities",
        _CODE,
        "if not _HEADER.search(plan_markdown):",
        "if False:",
    ),
    Break(
        7,
        "a plan has a goal",
        f"{_AMELIA}compat_has_three_checks_and_three_severities",
        _CODE,
        "if not goal or goal == FALLBACK_GOAL:",
        "if goal == FALLBACK_GOAL:",
    ),
    Break(
        8,
        "the stand-in goal is none",
        f"{_AMELIA}compat_has_three_checks_and_three_severities",
        _CODE,
        "if not goal or goal == FALLBACK_GOAL:",
        "if not goal:",
    ),
    Break(
        9,
        "a plan has 200 characters",
        f"{_AMELIA}a_plan_has_at_least_200_characters",
        _CODE,
        "MINIMUM_LENGTH = 200",
        "MINIMUM_LENGTH = 199",
    ),
    Break(
        10,
        "the JSON form has the same checks",
        f"{_AMELIA}the_json_sidecar_has_the_same_issues_as_the_markdown",
        "plans/profiles/superpowers.py",
        'goal = data.get("goal")',
        "goal = None",
    ),
    Break(
        11,
        "approved, revise, escalate",
        f"{_AMELIA}a_plan_is_approved_or_revised",
        _CODE,
        "if revisions < max_iterations:",
        "if revisions <= 1:",
    ),
    Break(
        12,
        "the limit: marker, ini, three",
        f"{_AMELIA}the_limit_comes_from_the_marker_then_the_ini_then_three",
        _CODE,
        "for value in (marker, ini)",
        "for value in (ini, marker)",
    ),
    Break(
        13,
        "only an invalid plan counts as a revision",
        f"{_NODE}revisions_count_invalid_plans_only",
        _CODE,
        "revisions + (not result.valid)",
        "revisions + 1",
    ),
    Break(
        14,
        "escalation warns and raises nothing",
        f"{_AMELIA}escalation_is_an_outcome_with_a_warning",
        _CODE,
        "    warnings.warn(message, PlanguardWarning, stacklevel=2)\n",
        "",
    ),
    Break(
        14,
        "a conversation that is handed over ends escalated",
        "../retry/judging/test_shapes.py::test_a_declared_hand_over_warns",
        "retry/judging/outcome.py",
        "    if handed:\n        return Outcome.ESCALATED\n",
        "",
    ),
    Break(
        19,
        "a bare list is read as the only list field where that is allowed, and said so",
        "../contract/schema/test_list_wrapping.py::test_a_bare_list_is_read_as_the_field_and_said_so",
        "contract/schema/list_wrapping.py",
        "return {self.field: data} if isinstance(data, list) else data",
        "return data",
    ),
    Break(
        20,
        "a row gives the result of the validation and the count of revisions",
        "compat/test_amelia_rows.py::test_a_row_has_the_state_after_validation",
        "plans/compat/amelia_rows.py",
        'sum(not attempt["ok"] for attempt in attempts)',
        "len(attempts)",
    ),
    Break(
        21,
        "a plan without headers is revised, no error",
        f"{_AMELIA}a_plan_without_headers_is_revised_and_never_an_error",
        _CODE,
        "    goal = extract_goal(text)\n",
        "    if not looks_like_plan(text):\n        raise ValueError(path)\n    goal = extract_goal(text)\n",
    ),
    Break(
        22,
        "a missing plan file names its path",
        f"{_NODE}a_missing_plan_file_names_its_path",
        _CODE,
        'f"Plan file not found at {path}"',
        '"Plan file not found"',
    ),
    Break(
        23,
        "an empty plan file names its path",
        f"{_NODE}an_empty_plan_file_names_its_path",
        _CODE,
        "    if not text.strip():\n        raise",
        "    if not text:\n        raise",
    ),
    Break(
        24,
        "goal and key files are extracted",
        f"{_NODE}the_node_hands_on_the_plan_byte_for_byte",
        _CODE,
        "    goal = extract_goal(text)\n",
        "    goal = FALLBACK_GOAL\n",
    ),
    Break(
        25,
        "the validator's model, else the profile's",
        f"{_NODE}the_model_step_uses_the_validator_model_or_the_profiles",
        _CODE,
        "ask(prompt, validator_model or model)",
        "ask(prompt, model)",
    ),
    Break(
        26,
        "errors of the model come through",
        f"{_NODE}errors_of_the_model_come_through_unchanged",
        _CODE,
        "    answer = await ask(prompt, validator_model or model)\n",
        "    try:\n        answer = await ask(prompt, validator_model or model)\n"
        "    except Exception as error:\n        raise RuntimeError from error\n",
    ),
    Break(
        27,
        "the path pattern; a key stays in its folder",
        f"{_NODE}the_path_pattern_takes_date_and_issue",
        _CODE,
        'issue_key.replace("/", "-").replace',
        "issue_key.replace",
    ),
    Break(
        28,
        "the plan's text is the file's",
        f"{_NODE}the_node_hands_on_the_plan_byte_for_byte",
        _CODE,
        "return ValidatedPlan(goal, text, path",
        "return ValidatedPlan(goal, text.strip(), path",
    ),
    Break(
        29,
        "architect, validator, person: the route of a plan",
        f"{_NODE}architect_then_validator_then_person",
        _CODE,
        "if revisions < max_iterations:",
        "if revisions < 1:",
    ),
    Break(
        29,
        "architect, validator: the order of the steps in recorded traffic",
        "compat/test_amelia_rows.py::test_the_order_of_steps_is_read_from_recorded_traffic",
        "plans/compat/amelia_rows.py",
        "for _, contract in sorted(steps)",
        "for _, contract in steps",
    ),
    Break(
        30,
        "the words of the extraction prompt",
        f"{_NODE}the_extraction_prompt_is_this_text",
        _CODE,
        "<plan>\n{plan_content}",
        "{plan_content}",
    ),
    Break(
        31,
        "a bad plan goes back with its issues",
        f"{_NODE}architect_then_validator_then_person",
        _CODE,
        '    if result is None or result.valid:\n        return ""\n',
        '    if result is not None:\n        return ""\n',
    ),
    Break(
        35,
        "no root crashes a level",
        f"{_LEVELS}no_root_crashes_a_level",
        _STEPS,
        "        data = {}\n",
        "",
    ),
    Break(
        36,
        "steps have an id and a name",
        f"{_LEVELS}each_defect_fails_from_its_level_on",
        _STEPS,
        'for field in ("step_id", "name"):',
        'for field in ("step_id",):',
    ),
    Break(
        37,
        "circles are found",
        f"{_LEVELS}each_defect_fails_from_its_level_on",
        _GUARD,
        '    "dep-cycle",\n',
        "",
    ),
    Break(
        38,
        "guards stand in the catalogue; the nearest is named",
        f"{_LEVELS}a_guard_with_a_typing_mistake_is_answered_with_the_nearest",
        "plans/rules/references.py",
        "            near = (name, known)\n",
        "            near = (name, ())\n",
    ),
    Break(
        39,
        "a retry budget is at least 1",
        f"{_LEVELS}each_defect_fails_from_its_level_on",
        _STEPS,
        "budget is not None and budget <= 0",
        "budget is not None and budget < 0",
    ),
    Break(
        40,
        "every dangling dependency is named",
        f"{_LEVELS}all_dangling_dependencies_are_named",
        _GUARD,
        '    "dep-exists",\n',
        "",
    ),
    Break(
        41,
        "preconditions, goal and budgets work out",
        f"{_LEVELS}each_defect_fails_from_its_level_on",
        _GUARD,
        '"goal-reachable", ',
        "",
    ),
    Break(
        42,
        "a search that was cut short is no pass",
        f"{_LEVELS}over_the_cap_is_unverified_and_not_passed",
        _GUARD,
        'LevelResult("expansive", Outcome.UNVERIFIED,',
        'LevelResult("expansive", Outcome.PASSED,',
    ),
    Break(
        43,
        "a step that nothing needs is found",
        f"{_LEVELS}each_defect_fails_from_its_level_on",
        _GUARD,
        '"useless-step", ',
        "",
    ),
    Break(
        59,
        "the schema is checked, not that a file exists",
        f"{_ARTIFACTS}a_file_that_is_there_and_breaks_its_schema_is_invalid",
        _FIELDS,
        "return field.required or (strict and field.strict_required)",
        "return False",
    ),
    Break(
        60,
        "a missing field has its full path",
        f"{_ARTIFACTS}a_missing_field_is_named_with_its_full_path_on_its_parents_line",
        _FIELDS,
        'Breach("missing", (*path, field.name), path',
        'Breach("missing", (field.name,), path',
    ),
    Break(
        61,
        "the listed words",
        f"{_ARTIFACTS}the_listed_words_are_these",
        _SCHEMAS,
        '"P2", "P3")',
        '"P2", "P4")',
    ),
    Break(
        62,
        "Completed and Implemented, by version",
        f"{_ARTIFACTS}both_vocabularies_of_a_feature_are_known",
        _SCHEMAS,
        '"Approved", "Implemented")',
        '"Approved", "Completed")',
    ),
    Break(
        63,
        "a self-dependency is found",
        f"{_ARTIFACTS}cross_references_are_found_once_each",
        "plans/rules/dependencies.py",
        "for task, edge in index.loops:",
        "for task, edge in index.loops[:0]:",
    ),
    Break(
        64,
        "types: what was expected and what was got",
        f"{_ARTIFACTS}arrays_objects_and_scalars_are_told_apart",
        _FIELDS,
        "if wrong and (field.checked_type or strict or scalar) and not field.enum:",
        "if False:",
    ),
    Break(
        65,
        "strict mode checks what is only declared",
        f"{_ARTIFACTS}strict_mode_checks_what_the_schema_only_declares",
        _FIELDS,
        "field.required or (strict and field.strict_required)",
        "field.required",
    ),
    Break(
        66,
        "lines end at LF, CRLF and CR",
        "reading/test_outline.py::test_lines_end_at_lf_crlf_and_cr_alone",
        "plans/reading/markdown_pieces.py",
        '_LINE_END = re.compile(r"\\r\\n?|\\n")',
        '_LINE_END = re.compile(r"\\r|\\n")',
    ),
    Break(
        67,
        "the design's words",
        f"{_ARTIFACTS}the_designs_words_are_byte_stable",
        _WORDS,
        "(expected: {finding.expected}, got: {finding.actual})",
        "(got: {finding.actual})",
    ),
    Break(
        68,
        "warnings do not fail",
        f"{_ARTIFACTS}warnings_do_not_fail",
        "plans/artifacts/validate.py",
        "_located(document, found, Severity.WARN)",
        "_located(document, found, Severity.RETRY)",
    ),
    Break(
        69,
        "notes have at most 1,000 characters",
        f"{_ARTIFACTS}notes_have_at_most_1000_characters",
        _SCHEMAS,
        "NOTES_LIMIT = 1000",
        "NOTES_LIMIT = 1001",
    ),
    Break(
        77,
        "mechanical faults are corrected, shown as a diff",
        f"{_ARTIFACTS}mechanical_faults_are_mended_and_shown_as_a_diff",
        "plans/artifacts/artifact_fixes.py",
        'changes.append("add _meta")',
        "pass",
    ),
    Break(
        78,
        "counts of retries outlive a run, whole or not at all, and go with the last success",
        "../pipeline/stages/test_agent_pipeline.py::test_counts_outlive_a_run_and_leave_no_file_behind",
        "pipeline/stages/retry_state.py",
        "{**rest, stage: bad} if bad else rest",
        "{**rest, stage: bad}",
    ),
)
LEFT = (
    (
        79,
        "a benchmark (`benchmarks/bench_plans.py`), its table in docs/explanation/speed.md; no test asserts a duration",
    ),
)
"""Promises without a test of the product, and why."""
