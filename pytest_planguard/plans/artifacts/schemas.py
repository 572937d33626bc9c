"""The schemas of autospec's six artifacts, as its validators (0.7) check them and its schema declares them."""

from __future__ import annotations

from types import MappingProxyType

from .field_checks import Field

STATUS_BY_VERSION = MappingProxyType(
    {
        "completed": ("Draft", "Review", "Approved", "Completed"),
        "implemented": ("Draft", "Review", "Approved", "Implemented"),
    }
)
"""Words for a feature's status: later versions say Completed, the first design said Implemented."""
TASK_STATUS = ("Pending", "InProgress", "Completed", "Blocked")
TASK_TYPE = ("setup", "implementation", "test", "documentation", "refactor")
LEVEL = ("low", "medium", "high")
NOTES_LIMIT = 1000
"""Characters of a task's notes."""


def _text(name: str, *, required: bool = False) -> Field:
    return Field(name, "string", required=required)


def _list(name: str, *, required: bool = False, fields: tuple[Field, ...] = ()) -> Field:
    return Field(name, "array", required=required, fields=fields)


def _object(name: str, *fields: Field, required: bool = False) -> Field:
    return Field(name, "object", required=required, fields=fields)


def spec(version: str = "completed") -> tuple[Field, ...]:
    """Fields of spec.yaml; `version` is a key of `STATUS_BY_VERSION`."""
    story = (
        Field("id", "string", required=True, pattern=r"US-\d+", example="US-001", strict_pattern=True),
        _text("title", required=True),
        Field("priority", "string", required=True, enum=("P0", "P1", "P2", "P3")),
        _text("as_a", required=True),
        _text("i_want", required=True),
        _text("so_that", required=True),
        Field("acceptance_scenarios", "array", strict_required=True),
    )
    return (
        _object(
            "feature",
            _text("branch", required=True),
            _text("created", required=True),
            Field("status", "string", enum=STATUS_BY_VERSION[version]),
            _text("input"),
            required=True,
        ),
        _list("user_stories", required=True, fields=story),
        _object("requirements", _list("functional", required=True), _list("non_functional"), required=True),
    )


PLAN = (
    _object("plan", _text("branch", required=True), _text("spec_path", required=True), required=True),
    Field("summary", "string", required=True),
    _object("technical_context", _list("primary_dependencies"), _list("constraints"), required=True),
    _list(
        "implementation_phases",
        fields=(
            Field("phase", "integer", required=True),
            _text("name", required=True),
            _list("deliverables"),
        ),
    ),
    _list(
        "risks",
        fields=(
            Field("id", "string", pattern=r"RISK-\d{3}", example="RISK-001"),
            _text("risk", required=True),
            Field("likelihood", "string", required=True, enum=LEVEL),
            Field("impact", "string", required=True, enum=LEVEL),
        ),
    ),
)
"""Fields of plan.yaml."""
TASKS = (
    _object("tasks", _text("branch", required=True), required=True),
    _object("summary", Field("total_tasks", "integer"), Field("total_phases", "integer"), required=True),
    _list(
        "phases",
        required=True,
        fields=(
            Field("number", "integer", required=True),
            _text("title", required=True),
            _list(
                "tasks",
                required=True,
                fields=(
                    Field("id", "string", required=True, pattern=r"T\d+", example="T001", strict_pattern=True),
                    _text("title", required=True),
                    Field("status", "string", required=True, enum=TASK_STATUS),
                    Field("type", "string", required=True, enum=TASK_TYPE),
                    Field("parallel", "boolean"),
                    _list("dependencies"),
                    _list("acceptance_criteria"),
                    Field("notes", "string", max_length=NOTES_LIMIT),
                ),
            ),
        ),
    ),
)
"""Fields of tasks.yaml."""
ANALYSIS = (
    _object("analysis", _text("branch", required=True), _text("timestamp", required=True), required=True),
    _list(
        "findings",
        required=True,
        fields=(
            _text("id", required=True),
            Field(
                "category",
                "string",
                required=True,
                enum=("duplication", "ambiguity", "coverage", "constitution", "inconsistency", "underspecification"),
            ),
            Field("severity", "string", required=True, enum=("CRITICAL", "HIGH", "MEDIUM", "LOW")),
            _text("location", required=True),
            _text("summary", required=True),
        ),
    ),
    _object(
        "summary",
        Field("overall_status", "string", required=True, enum=("PASS", "WARN", "FAIL")),
        required=True,
    ),
)
"""Fields of analysis.yaml."""
CHECKLIST = (
    _object(
        "checklist",
        _text("feature", required=True),
        _text("branch", required=True),
        _text("domain", required=True),
        Field("audience", "string", enum=("author", "reviewer", "qa", "release")),
        Field("depth", "string", enum=("lightweight", "standard", "comprehensive")),
        required=True,
    ),
    _list(
        "categories",
        required=True,
        fields=(
            _text("name", required=True),
            _list(
                "items",
                required=True,
                fields=(
                    _text("id", required=True),
                    _text("description", required=True),
                    Field("status", "string", required=True, enum=("pending", "pass", "fail")),
                    Field(
                        "quality_dimension",
                        "string",
                        enum=("completeness", "clarity", "consistency", "measurability", "coverage", "edge_cases"),
                    ),
                ),
            ),
        ),
    ),
)
"""Fields of checklist.yaml."""
CONSTITUTION = (
    _object("constitution", _text("project_name", required=True), _text("version", required=True), required=True),
    _list(
        "principles",
        required=True,
        fields=(
            _text("id", required=True),
            _text("name", required=True),
            Field("priority", "string", required=True, enum=("NON-NEGOTIABLE", "MUST", "SHOULD", "MAY")),
            _text("description", required=True),
            Field("category", "string", enum=("quality", "architecture", "process", "security")),
        ),
    ),
    _list("sections", fields=(_text("name", required=True), _text("content", required=True))),
)
"""Fields of constitution.yaml."""
KINDS = ("spec", "plan", "tasks", "analysis", "checklist", "constitution")


def schema_of(kind: str, version: str = "completed") -> tuple[Field, ...]:
    """Return the top-level fields of one kind of artifact."""
    fixed = {
        "plan": PLAN,
        "tasks": TASKS,
        "analysis": ANALYSIS,
        "checklist": CHECKLIST,
        "constitution": CONSTITUTION,
    }
    return spec(version) if kind == "spec" else fixed[kind]
