"""`planguard check` on plan files: what is a plan, what is printed, and the exit code."""

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from pytest_planguard.plans.profiles.formats import PROFILES
from pytest_planguard.plans.rules.judge_plan import RULES

from ...support.cassettes import BAD, GOOD, conversation, write, write_models
from ...support.commands import run
from ...support.one_item import in_one_item
from ...support.plans import EIGHT_ERRORS, FILES, text_of

TASKS = text_of("spec-kit-tasks")[1]
SPEC = text_of("spec-kit-spec")[1]
DUPLICATE = TASKS.replace("] T002 [P]", "] T001 [P]")
BROKEN = DUPLICATE.replace("(depends on T003-T004)", "(depends on T003, T040)")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_plan_that_the_user_names_has_any_size(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder it keeps its bound."""
    monkeypatch.setattr("pytest_planguard.plans.profiles.formats.MAX_MARKDOWN", 200)
    (here / "specs").mkdir()
    (here / "specs" / "tasks.md").write_text(TASKS, encoding="utf-8")
    assert run("check", "specs/tasks.md").exit_code == 0
    assert "at most 200 are read" in run("check", "specs/").output
    assert run("plan", "graph", "specs/tasks.md").exit_code == 0


def check(*arguments: str, stdin: str | None = None) -> Result:
    """Run `planguard plan check`; an exception that escapes fails the test."""
    return run("plan", "check", *arguments, stdin=stdin)


def fix(*arguments: str, stdin: str | None = None) -> Result:
    """Run `planguard plan fix`."""
    return run("plan", "fix", *arguments, stdin=stdin)


def rules(*arguments: str) -> Result:
    """Run `planguard plan rules`."""
    return run("plan", "rules", *arguments)


def put(path: Path, text: str) -> Path:
    """Write a file and the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def plans(result: Result) -> dict[str, dict[str, object]]:
    """The plans of JSON output by path."""
    return {file["path"]: file["plan"] for file in json.loads(result.stdout)["files"]}


def test_a_bad_plan_is_shown_with_a_frame_for_each_finding(here: Path) -> None:
    """Headline, place, the lines around it, a caret under it, what to do; exit code 1."""
    put(here / "tasks.md", DUPLICATE)
    result = check("tasks.md")
    assert result.exit_code == 1
    assert result.output == (
        "tasks.md:10:7: not a valid spec-kit-tasks plan: 1 finding\n"
        '  x tasks["T001 #2"] (line 10, column 7): the id T001 is used 2 times, first (line 9)  [id-unique]\n'
        "     8 |\n"
        "     9 | - [x] T001 Create the package in src/auth/__init__.py\n"
        "    10 | - [ ] T001 [P] Configure the linter in pyproject.toml\n"
        "       |       ^^^^\n"
        "    11 |\n"
        "    12 | **Checkpoint**: ready\n"
        "    see tasks.T001: first used here\n"
        "    hint: renumber the later one\n"
        "\n"
        "read            1 plan\n"
        "plans           0 of 1 keep the rules\n"
        "found in plans  1 id-unique\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_plan_of_every_format_is_told_by_its_content_under_any_name(here: Path, path: Path) -> None:
    """The name of the file says nothing about the format, and a sound plan of each passes."""
    put(here / f"x{path.suffix}", path.read_text(encoding="utf-8"))
    result = check(f"x{path.suffix}", "--format", "json")
    assert result.exit_code == 0
    found = plans(result)[f"x{path.suffix}"]
    assert found["format"] == path.stem


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_plan_from_standard_input_is_told_by_its_content_alone(here: Path, path: Path) -> None:
    """`-` is one document in whichever syntax it reads as a plan."""
    result = check("-", "--format", "json", stdin=path.read_text(encoding="utf-8"))
    assert result.exit_code == 0, result.output
    assert plans(result)["-"]["format"] == path.stem


def test_an_answer_from_standard_input(here: Path) -> None:
    """With a contract, standard input is one answer."""
    write_models(here)
    assert check("-", "-c", "models.py:Person", stdin=GOOD).exit_code == 0
    bad = check("-", "-c", "models.py:Person", stdin=BAD)
    assert bad.exit_code == 1
    assert bad.output.startswith("-: not a valid Person: 1 finding")


def test_a_markdown_file_that_is_no_plan(here: Path) -> None:
    """It is said to be none, with both ways out; exit code 3."""
    put(here / "notes.md", "# Notes\n\nNothing planned.\n")
    result = check("notes.md")
    assert result.exit_code == 3
    first = result.output.splitlines()[0]
    assert first.startswith(
        "notes.md: error: this is neither a cassette nor a plan in a known format, and no contract is named. "
    )
    assert "If it is an answer, name its contract: --contract module:NAME or file.py:NAME. " in first
    assert "If it is a plan, name its format: --rules FORMAT (spec-kit, superpowers," in first


def test_a_file_that_is_no_plan_of_the_named_family(here: Path) -> None:
    """Who named a family is not asked to name the format: its documents are offered."""
    put(here / "notes.md", "# Notes\n\nNothing planned.\n")
    family = check("notes.md", "--rules", "spec-kit")
    assert family.exit_code == 3
    assert family.output.splitlines()[0] == (
        "notes.md: error: neither a cassette nor a plan in the spec-kit format. If it is such a plan, name which "
        "document it is: --rules spec-kit-tasks or spec-kit-spec or spec-kit-plan. To judge it as an answer, use "
        "--contract module:NAME or file.py:NAME without options about plans."
    )


def test_a_ticket_with_steps_does_not_pass_for_a_plan(here: Path) -> None:
    """A document that no format is told by is not judged by the rules of any: it is named, with exit code 3."""
    put(here / "in" / "ticket.yaml", "title: Printer on fire\npriority: 3\nsteps: [open the door, leave]\n")
    assert "no contract is named" in check("in/ticket.yaml").output
    assert check("in/ticket.yaml").exit_code == 3
    found = check("in")
    assert found.exit_code == 3
    assert found.output.startswith(
        "read      nothing\nleft out  1 other file: in/ticket.yaml (-v says why)\n\nNothing was judged. Cassettes are "
    )
    assert "in/ticket.yaml: left out: neither a cassette nor a plan in a known format\n" in check("in", "-v").output


def test_a_named_format_is_taken_at_its_word(here: Path) -> None:
    """A file that the user calls a plan of one format is judged as one, whatever it looks like."""
    put(here / "notes.md", "# Notes\n\nNothing planned.\n")
    result = check("notes.md", "--rules", "spec-kit-tasks")
    assert result.exit_code == 1
    assert "the plan has no tasks  [has-tasks]" in result.output


def test_a_folder_has_plans_recordings_and_other_files(here: Path) -> None:
    """Plans and cassettes are judged, the rest is left out and named."""
    put(here / "in" / "tasks.md", TASKS)
    put(here / "in" / "README.md", "# Hello\n")
    put(here / "in" / "settings.yaml", "a: 1\n")
    write(here / "in" / "talk.yaml", conversation(GOOD))
    result = check("in")
    assert result.exit_code == 0, result.output
    assert "  1 cassette with 1 exchange, 1 plan\n" in result.output
    assert "left out    2 other files: in/README.md, in/settings.yaml (-v says why)\n" in result.output
    assert "  1 of 1 keep the rules\n" in result.output


def test_documents_beside_a_contract_stay_answers(here: Path) -> None:
    """With a contract and no option about plans nothing changes: a document is an answer."""
    write_models(here)
    put(here / "plan.json", text_of("step-list")[1])
    assert "not a valid Person" in check("plan.json", "-c", "models.py:Person").output
    assert check("plan.json", "-c", "models.py:Person", "--rules", "step-list").exit_code == 0


def test_the_documents_of_one_folder_are_checked_against_each_other(here: Path) -> None:
    """A requirement that the tasks cite and the spec lacks is found in the tasks; alone it cannot be."""
    lone = put(here / "lone" / "tasks.md", TASKS.replace("(FR-001)", "(FR-077)"))
    put(here / "specs" / "004" / "tasks.md", lone.read_text(encoding="utf-8"))
    put(here / "specs" / "004" / "spec.md", SPEC)
    assert check("lone").exit_code == 0
    for paths in (["specs"], ["specs/004/tasks.md", "specs/004/spec.md"]):
        result = check(*paths)
        assert result.exit_code == 1
        assert "[trace-backward]" in result.output
        assert "FR-077" in result.output


def test_severities_and_ignored_rules(here: Path) -> None:
    """--severity weighs a rule, switches one on or off; --ignore leaves one out."""
    put(here / "tasks.md", BROKEN)
    both = ("--severity", "id-unique=warn", "--severity", "dep-exists=off")
    assert check("tasks.md", *both).exit_code == 0
    assert check("tasks.md", "--ignore", "id-unique", "--ignore", "dep-exists", "--ignore", "ref-exists").output == (
        "read   1 plan\nplans  1 of 1 keep the rules\n"
    )
    gap = TASKS.replace("T002", "T009")
    put(here / "gap.md", gap)
    assert check("gap.md").exit_code == 0
    assert "[id-gap]" in check("gap.md", "--severity", "id-gap=retry").output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--severity", "dep-exist=warn"], "planguard: unknown plan rule 'dep-exist'. Did you mean 'dep-exists'?\n"),
        (["--severity", "dep-exists"], "planguard: --severity dep-exists: expected CODE=LEVEL, for example "),
        (
            ["--severity", "dep-exists=bad"],
            "planguard: dep-exists=bad: unknown severity 'bad'. Known: info, warn, retry",
        ),
        (["--ignore", "nothing"], "planguard: unknown plan rule 'nothing'. `planguard plan rules` lists"),
        (["--rules", "speckit"], "planguard: unknown plan format 'speckit'. Did you mean 'spec-kit'? Known: "),
        (
            ["--rules", "kiro", "--rules", "bmad"],
            "planguard: name one plan format, not 2: kiro, bmad",
        ),
        (["--rules", "no_such_module:X"], "planguard: --rules no_such_module:X: no_such_module does not import: "),
        (["--rules", "json:dumps"], "planguard: --rules module:NAME takes a plan format (Profile), a rule (Rule) or "),
    ],
)
def test_a_wrong_word_is_answered_with_the_right_one(here: Path, arguments: list[str], message: str) -> None:
    """Exit code 2 and the nearest known word or all of them."""
    put(here / "tasks.md", TASKS)
    result = check("tasks.md", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(message)


OWN = """
from pytest_planguard import Severity
from pytest_planguard.plans.plan import Plan, Task
from pytest_planguard.plans.plan import Place
from pytest_planguard.plans.reading.profile import Profile
from pytest_planguard.plans.rules.rule import Hit, Rule

def read(source):
    names = source.data["todo"]
    tasks = tuple(Task(name, name, place=Place(("todo", n))) for n, name in enumerate(names))
    return Plan("todo", tasks=tasks, find=source.document.locate_many)

def short(plan, index):
    for task in plan.tasks:
        if len(task.key) > 3:
            yield Hit(task.place, f"{task.key} is long")

TODO = Profile("todo", "todo", "A list.", lambda source: 99 if "todo" in (source.data or ()) else 0, read, "data")
SHORT = Rule("short", short, Severity.RETRY, "Names are short.", "`long`", "Shorten it.")
BOTH = [TODO, SHORT]
"""


def test_formats_and_rules_of_ones_own(here: Path) -> None:
    """`--rules file.py:NAME` takes a format, a rule, or a list of both; severities count for them too."""
    put(here / "own.py", OWN)
    put(here / "todo.json", '{"todo": ["one", "three"]}')
    assert check("todo.json").exit_code == 3
    result = check("todo.json", "--rules", "own.py:BOTH")
    assert result.exit_code == 1
    assert "x todo[1] (line 1, column 18): three is long  [short]" in result.output
    two = ("--rules", "own.py:TODO", "--rules", "own.py:SHORT")
    assert check("todo.json", *two, "--severity", "short=warn").exit_code == 0


def test_the_schema_of_a_format(here: Path) -> None:
    """The schema is checked by default; what rules and schema both find is said once, at the value itself."""
    text = text_of("autospec-tasks")[1].replace("type: implementation", "type: implemantation", 1)
    put(here / "tasks.yaml", text)
    assert check("tasks.yaml", "--no-schema").exit_code == 0
    result = check("tasks.yaml")
    assert result.exit_code == 1
    assert check("tasks.yaml", "--schema").output == result.output
    assert "expected one of setup, implementation" in result.output
    put(here / "status.yaml", text_of("autospec-tasks")[1].replace("status: Pending", "status: Open", 1))
    assert "[status-enum]" in check("status.yaml", "--no-schema").output
    both = check("status.yaml")
    assert "[enum]" in both.output
    assert "[status-enum]" not in both.output


def test_eight_errors_of_a_spec_and_its_status_words(here: Path) -> None:
    """A named format is enough for the schema; a version says which words a status may have."""
    put(here / "spec.yaml", EIGHT_ERRORS)
    result = check("spec.yaml", "--rules", "autospec-spec")
    assert result.exit_code == 1
    assert "found in plans  6 missing, 2 enum" in result.output
    assert "expected one of Draft, Review, Approved, Completed" in result.output
    first = check("spec.yaml", "--schema-version", "implemented")
    assert "expected one of Draft, Review, Approved, Implemented" in first.output


def test_schema_errors_in_the_words_of_the_design(here: Path) -> None:
    """One heading for a file, then each error with its line and its whole path."""
    put(here / "spec.yaml", EIGHT_ERRORS)
    lines = check("spec.yaml", "--format", "errors", "--schema-version", "implemented").output.splitlines()
    assert lines[:9] == [
        "spec.yaml schema validation failed:",
        "- line 1: missing required field 'requirements'",
        "- line 2: missing required field 'feature.branch'",
        "- line 2: missing required field 'feature.created'",
        "- line 3: invalid enum value 'feature.status=pending' (expected: Draft|Review|Approved|Implemented)",
        "- line 5: missing required field 'user_stories[0].as_a'",
        "- line 5: missing required field 'user_stories[0].i_want'",
        "- line 5: missing required field 'user_stories[0].so_that'",
        "- line 7: invalid enum value 'user_stories[0].priority=P9' (expected: P0|P1|P2|P3)",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--level", "medium", "--r-max", "3"), "the plan may take 10 attempts, more than 3"),
        (
            ("--level", "expansive", "--max-explorations", "1"),
            "unverified: exploration stopped after 1 execution states",
        ),
        (("--catalogue", "nothing", "--level", "minimal"), "which is not in the catalogue"),
    ],
)
def test_levels_of_step_plans(here: Path, options: tuple[str, ...], message: str) -> None:
    """What a level does not accept is rejected, and what it could not verify too."""
    put(here / "plan.json", text_of("atomicguard")[1])
    assert check("plan.json").exit_code == 0
    result = check("plan.json", *options)
    assert result.exit_code == 1
    assert message in result.output


def test_recorded_answers_are_judged_by_the_named_format(here: Path) -> None:
    """With --rules FORMAT and no contract a recorded conversation about a plan is judged by the plan's rules."""
    write(here / "talk.yaml", conversation(DUPLICATE, TASKS))
    result = check("talk.yaml", "--rules", "spec-kit-tasks", "--severity", "parallel-safe=off")
    assert "valid by attempt  0/1/1/1 of 1" in result.output
    assert "Judged by the schemas in the requests only" not in result.output


def test_a_broken_plan_file_is_a_finding_where_plans_are_asked_for(here: Path) -> None:
    """Where documents are plans, a syntax error is shown in its place: exit code 1; else the reader names the file."""
    put(here / "tasks.yaml", "phases: [1\ntasks: }\n")
    result = check("tasks.yaml", "--rules", "autospec")
    assert result.exit_code == 1
    assert "tasks.yaml:2:6: not a valid plan: 1 finding" in result.output
    assert "[invalid_yaml]" in result.output
    assert check("tasks.yaml").exit_code == 3


def test_a_defect_in_one_plan_does_not_end_the_others(here: Path) -> None:
    """A format of one's own that raises is that file's finding; the plans beside it are judged."""
    put(here / "own.py", OWN.replace('names = source.data["todo"]', 'names = source.data["todo"]["x"]'))
    put(here / "in" / "todo.json", '{"todo": ["one", "three"]}')
    put(here / "in" / "tasks.md", TASKS)
    result = check("in", "--rules", "own.py:SHORT", "--rules", "own.py:TODO")
    assert result.exit_code == 1
    assert "the reader of a plan format itself raised TypeError: list indices must be integers" in result.output
    assert "hint: raised in own.py:" in result.output
    assert "plans           0 of 1 keep the rules" in result.output


def test_hostile_plans_cannot_reach_the_terminal(here: Path) -> None:
    """Escape sequences and direction marks in a plan are shown, not obeyed."""
    put(here / "tasks.md", BROKEN.replace("T040", "T040\x1b[2J\u202e").replace("the package", "\x1b]0;x\x07"))
    for more in ((), ("-v",), ("--format", "json")):
        assert not set(check("tasks.md", *more).output) & set("\x1b\x07\u202e")


def test_quiet_and_verbose(here: Path) -> None:
    """-q prints figures only; -v also remarks, and plans in which nothing is wrong."""
    put(here / "tasks.md", BROKEN)
    put(here / "good.md", TASKS)
    assert check("tasks.md", "-q").output.startswith("read ")
    assert "good.md: valid spec-kit-tasks plan" in check("good.md", "-v").output


@in_one_item
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_is_explained(rule) -> None:  # type: ignore[no-untyped-def]
    """What it checks, an example, how to fix it; no path is needed, and exit code 0."""
    result = rules(rule.code)
    assert result.exit_code == 0
    assert result.output.startswith(f"{rule.code} ({rule.severity}")
    for part in (rule.what, f"Example: {rule.example}", f"Fix:     {rule.mend}"):
        assert part in result.output


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("dep-cycl", "planguard: unknown plan rule 'dep-cycl'. Did you mean 'dep-cycle'?\n"),
        ("nope", "planguard: unknown plan rule 'nope'. `planguard plan rules` lists"),
    ],
)
def test_a_rule_that_does_not_exist(code: str, message: str) -> None:
    """Exit code 2 and the nearest known rule, or where all of them are."""
    result = rules(code)
    assert result.exit_code == 2
    assert result.stderr.startswith(message)


def test_the_rules_are_listed() -> None:
    """A line for each, with code, severity and what it checks."""
    result = rules()
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert [line.split()[0] for line in lines] == [rule.code for rule in RULES]
    assert "dep-cycle             retry        No tasks wait for each other." in lines


@pytest.mark.slow
def test_all_real_plans_are_read_as_plans(here: Path, shared_data: Path) -> None:
    """153 documents of 14 tools, each at its own path but for hidden folders: none is left out, none is an error."""
    with (shared_data / "plans" / "index.csv").open(newline="", encoding="utf-8") as index:
        for number, row in enumerate(csv.DictReader(index)):
            text = (shared_data / "plans" / row["format"] / row["file"]).read_text(encoding="utf-8")
            put(here / str(number) / row["path"].replace("/.", "/").lstrip("."), text)
    result = check(".", "--format", "json")
    printed = json.loads(result.stdout)
    assert [file["path"] for file in printed["files"] if file["plan"] is None] == []
    assert printed["summary"]["plans"] == 153


EXTENSION = """
from pytest_planguard import Severity
from pytest_planguard.extend import Hit, Plan, Profile, Registrations, Rule, Task


def read(source):
    return Plan("todo", tasks=tuple(Task(name, name) for name in source.data["todo"]))


def long_names(plan, index):
    for task in plan.tasks:
        if len(task.key) > 9:
            yield Hit(task.place, f"{task.key} is long")


registry = Registrations()
registry.plan_format(Profile("todo", "todo", "Names.", lambda s: 99 * ("todo" in s.data), read, "data"))
registry.plan_rule(Rule("long-name", long_names, Severity.RETRY, "Names are short.", "`unbelievable`", "Shorten it."))
"""


@pytest.fixture
def extension(here: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module that registers a plan format and a plan rule."""
    put(here / "own_plans.py", EXTENSION)
    monkeypatch.syspath_prepend(here)
    yield "own_plans"
    sys.modules.pop("own_plans", None)
    PROFILES.unregister("todo")
    RULES.unregister("long-name")


def test_an_extension_adds_formats_and_rules(here: Path, extension: str) -> None:
    """`-p MODULE` adds what it registers: to what is judged, to the list, to the explanations."""
    put(here / "x.json", '{"todo": ["unbelievable"]}')
    assert "unbelievable is long  [long-name]" in check("x.json", "-p", extension).output
    listed = rules("-p", extension, "--format", "json")
    codes = [rule["code"] for rule in json.loads(listed.stdout)["rules"]]
    assert codes == [*(rule.code for rule in RULES.built_in), "long-name"]


def test_an_explanation_of_a_rule_of_an_extension(extension: str) -> None:
    """Its own text, for a person and for a program."""
    assert rules("long-name", "-p", extension).output == (
        "long-name (retry)\n\nNames are short.\n\nExample: `unbelievable`\nFix:     Shorten it.\n"
    )
    (rule,) = json.loads(rules("long-name", "-p", extension, "--format", "json").stdout)["rules"]
    assert rule == {
        "code": "long-name",
        "severity": "retry",
        "rests_on": [],
        "on": True,
        "kind": "rule",
        "checks": "Names are short.",
        "example": "`unbelievable`",
        "mend": "Shorten it.",
    }


WRONG_TOTAL = f"{TASKS}\n**Total Tasks**: 99\n"


def test_fix_shows_a_diff_and_writes_only_when_told_to(here: Path) -> None:
    """Source row 77: the diff comes first; without `--yes` and without a person at a terminal nothing is written."""
    path = put(here / "tasks.md", WRONG_TOTAL)
    shown = fix("tasks.md")
    assert "-**Total Tasks**: 99\n+**Total Tasks**: 5\n" in shown.output
    assert "1 file can be fixed; nothing was written. Add --yes to write." in shown.output
    assert path.read_text(encoding="utf-8") == WRONG_TOTAL
    written = fix("tasks.md", "--yes", "--format", "json")
    assert written.exit_code == 0
    assert "fixed 1 file" in written.stderr
    assert json.loads(written.stdout)["files"][0]["plan"]["ok"] is True
    assert path.read_text(encoding="utf-8") == WRONG_TOTAL.replace("99", "5")
    assert fix("tasks.md", "--yes").output.startswith("nothing to fix\n")


def test_fix_keeps_marks_modes_and_line_ends(here: Path) -> None:
    """A byte order mark, CRLF and the file's permissions stay, and no other file is left behind."""
    path = here / "tasks.md"
    path.write_bytes(b"\xef\xbb\xbf" + WRONG_TOTAL.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    assert fix("tasks.md", "-y").exit_code == 0
    assert path.read_bytes() == b"\xef\xbb\xbf" + WRONG_TOTAL.replace("99", "5").replace("\n", "\r\n").encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert [file.name for file in here.iterdir()] == ["tasks.md"]


def test_fix_writes_no_link_and_needs_a_file(here: Path) -> None:
    """A link is not replaced by a file, standard input has no place to write to, and an answer is no plan."""
    put(here / "real" / "tasks.md", WRONG_TOTAL)
    (here / "link.md").symlink_to(here / "real" / "tasks.md")
    assert "link.md: not written: it is not a regular file\nfixed 0 files" in fix("link.md", "-y").output
    assert (here / "link.md").is_symlink()
    assert fix("-", stdin=WRONG_TOTAL).exit_code == 2
    write_models(here)
    assert fix("real", "-c", "models.py:Person").exit_code == 2


FORMAT = """\
format: runbook
required: [Rollback]
tasks: {level: 2, pattern: 'Step {id}: {title}', depends: ['Needs:']}
"""
RUNBOOK = "# Fail over\n\n## Step 1: Stop\n\nNeeds: 2\n\n## Step 2: Start\n\nNeeds: 1\n"


def test_a_format_that_a_file_describes(here: Path) -> None:
    """`--rules` takes the file; a mistake in it is a wrong use, with its line."""
    put(here / "planguard-plan.yaml", FORMAT)
    put(here / "a.md", RUNBOOK)
    result = check("a.md", "--rules", "planguard-plan.yaml")
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "found in plans  1 required-sections, 1 dep-cycle"
    put(here / "planguard-plan.yaml", FORMAT.replace("level", "lvl"))
    result = check("a.md", "--rules", "planguard-plan.yaml")
    assert result.exit_code == 2
    assert result.stderr == 'planguard: planguard-plan.yaml:3: tasks.lvl: not allowed here; did you mean "level"?\n'


def test_a_json_schema_is_attached_to_a_format(here: Path) -> None:
    """`--json-schema` belongs to the format that `--rules` names."""
    put(here / "s.json", '{"properties": {"name": {"type": "integer"}}}')
    put(here / "w.yaml", "name: build\non: push\njobs: {a: {runs-on: x, steps: []}}\n")
    assert check("w.yaml", "--rules", "workflow-jobs").exit_code == 0
    result = check("w.yaml", "--rules", "workflow-jobs", "--json-schema", "s.json")
    assert result.exit_code == 1
    assert 'x name (line 1, column 7): expected an integer; got "build"  [type]' in result.output
    result = check("w.yaml", "--json-schema", "s.json")
    assert result.stderr == (
        "planguard: a JSON Schema is attached to one format: got none; name the format beside it\n"
    )


def test_an_exception_in_a_users_reader_is_the_users(here: Path) -> None:
    """A finding with file and line, and no defect of planguard."""
    put(
        here / "own_reader.py",
        "from pytest_planguard.extend import Profile, signs\n\n\ndef read(source):\n    return source.data['x']\n\n\n"
        "OWN = Profile('own', 'own', 'x', signs((r'^# Own', 60)), read)\n",
    )
    put(here / "a.md", "# Own plan\n")
    result = check("a.md", "--rules", "own_reader.py:OWN")
    assert result.exit_code == 1
    assert "the reader of a plan format itself raised TypeError: string indices must be integers" in result.output
    assert "hint: raised in own_reader.py:5 read: return source.data['x']" in result.output
    assert "defect" not in result.output


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\nplanguard_plan_rules =\n    id-unique=warn\n    old/*:dep-exists=off\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\nplanguard_plan_rules = 'id-unique=warn old/*:dep-exists=off'\n"),
        ("pytest.toml", "[pytest]\nplanguard_plan_rules = ['id-unique=warn', 'old/*:dep-exists=off']\n"),
        ("tox.ini", "[pytest]\nplanguard_plan_rules = id-unique=warn old/*:dep-exists=off\n"),
        ("setup.cfg", "[tool:pytest]\nplanguard_plan_rules = id-unique=warn old/*:dep-exists=off\n"),
    ],
)
def test_the_settings_of_pytest_count(here: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    """Also for some paths alone, from any folder; what is typed has the last word."""
    put(here / name, text)
    put(here / "old/tasks.md", BROKEN)
    put(here / "new/tasks.md", BROKEN)
    found = plans(check("old/tasks.md", "new/tasks.md", "--format", "json"))
    assert [file["ok"] for file in found.values()] == [True, False]
    monkeypatch.chdir(here / "old")
    assert check("tasks.md").exit_code == 0
    assert check("tasks.md", "--severity", "id-unique=retry").exit_code == 1


def test_a_format_in_the_settings(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that describes it stands beside the ini file; `--rules` names another; cassettes stay what they are."""
    write(here / "a.yaml", conversation(BAD, GOOD))
    before = check("a.yaml").output
    put(here / "pytest.ini", "[pytest]\nplanguard_plan_rules = own.yaml required-sections=off\n")
    put(here / "own.yaml", FORMAT)
    put(here / "a/a.md", RUNBOOK)
    result = check("a/a.md")
    assert result.output.splitlines()[-1] == "found in plans  1 dep-cycle"
    put(here / "a/tasks.md", TASKS)
    assert check("a/tasks.md", "--rules", "spec-kit").exit_code == 0
    assert check("a.yaml").output == before
    monkeypatch.chdir(here / "a")
    assert check("a.md").output == result.output.replace("a/a.md", "a.md")


def test_settings_that_cannot_be_read(here: Path) -> None:
    """The file is named; without a section for pytest it is passed by."""
    put(here / "tasks.md", TASKS)
    put(here / "pyproject.toml", "[tool.other]\nx = 1\n")
    assert check("tasks.md").exit_code == 0
    put(here / "pyproject.toml", "[tool.pytest\n")
    result = check("tasks.md")
    assert result.exit_code == 2
    assert "pyproject.toml: the settings of pytest cannot be read: got Expected" in result.stderr


def test_a_hidden_folder_of_plans_is_named_and_not_read(here: Path) -> None:
    """Where a planning tool keeps plans; an empty one is not worth a word, and one that is named is read."""
    (here / ".kiro" / "specs").mkdir(parents=True)
    (here / ".cursor").mkdir()
    (here / ".kiro" / "specs" / "tasks.md").write_text(BROKEN, encoding="utf-8")
    (here / "tasks.md").write_text(TASKS, encoding="utf-8")
    done = run("check", ".")
    note = "note: .kiro is hidden and was skipped; to check it: planguard check .kiro\n"
    assert (done.exit_code, done.stderr) == (0, note)
    assert run("check", ".kiro").exit_code == 1
    assert run("check", "tasks.md").stderr == ""


def test_a_plan_with_remarks_alone_has_one_line_that_says_what_was_read(here: Path) -> None:
    """Boxes in odd forms are tasks; the line says how many tasks were read."""
    put(here / "tasks.md", "## 1. Group\n\n- [ ] 1.1 Do this\n- [] 1.2 Do that\n- [✓] 1.3 Do more\n")
    result = check("tasks.md")
    assert result.exit_code == 0
    first = "tasks.md: openspec-tasks plan, read in part: 3 tasks, 0 dependencies, 0 requirements, 2 remarks"
    assert result.output.splitlines()[0] == first
    assert result.output.count("[box-mark]") == 2  # among the strongest remarks, a line each without a frame


def test_remarks_are_counted_by_rule_and_the_gravest_three_are_said(here: Path) -> None:
    """What would fail a plan of a named format comes before what would only warn."""
    put(
        here / "tasks.md",
        "## 1. Group\n\n- [ ] 1.1 Do this\n- [] 1.2 Do that\n- [✓] 1.3 Do more\n- [✓] 1.4 Do it all\n",
    )
    put(here / "other" / "tasks.md", f"{TASKS}\n## Cleanup\n\n- [ ] Remove the old form\n")
    lines = run("check", ".").output.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("not sure"))
    assert "3 box-mark, 1 unread-tasks in 2 plans" in lines[at]
    assert [line.rpartition("[")[2] for line in lines[at + 1 : at + 4]] == ["unread-tasks]", "box-mark]", "box-mark]"]


def test_an_empty_file_of_a_folder_is_no_plan(here: Path) -> None:
    """Named, or where the format is named, it is a finding."""
    put(here / "docs" / "notes.md", "\n")
    put(here / "docs" / "tasks.md", TASKS)
    assert run("check", "docs").exit_code == 0
    assert "docs/notes.md" in run("check", "docs").output  # left out
    assert run("check", "docs/notes.md").exit_code == 1
    assert check("docs", "--rules", "spec-kit").exit_code == 1


def test_a_plan_that_was_read_in_part_passes_with_a_word_of_its_own(here: Path) -> None:
    """Neither valid nor invalid: exit code 0 as for warnings, 1 where warnings fail, and the figures count it."""
    put(here / "tasks.md", f"{TASKS}\n## Cleanup\n\n- [ ] Remove the old form\n")
    result = check("tasks.md")
    assert result.exit_code == 0
    assert (
        "spec-kit-tasks plan, read in part: 5 tasks, 2 dependencies, 0 requirements; not read: line " in result.output
    )
    assert "plans     1 of 1 keep the rules, 1 of them read in part" in result.output
    assert (
        "not sure  1 unread-tasks in 1 plan whose format was guessed: --verbose lists them, --rules FORMAT judges them"
        in result.output
    )
    assert result.output.count("[unread-tasks]") == 1  # one of the strongest remarks, without its frame
    assert "[unread-tasks]" in check("tasks.md", "--verbose").output
    assert check("tasks.md", "--fail-on", "warn").exit_code == 1
    assert check("tasks.md", "--rules", "spec-kit").exit_code == 1
    plan = plans(check("tasks.md", "--format", "json"))["tasks.md"]
    figures = {name: plan[name] for name in ("ok", "verdict", "tasks", "dependencies", "requirements")}
    assert figures == {"ok": True, "verdict": "read_in_part", "tasks": 5, "dependencies": 2, "requirements": 0}


def test_a_plan_is_drawn_as_a_graph(here: Path) -> None:
    """Waves and what never begins as text; the picture is SVG; a file that is no plan is an error of use."""
    put(here / "tasks.md", BROKEN)
    drawn = run("plan", "graph", "tasks.md")
    assert drawn.exit_code == 0
    assert "\nwave 1: " in drawn.stdout
    assert "\nnot in the plan: T040\n" in drawn.stdout
    picture = run("plan", "graph", "tasks.md", "--format", "svg", "--rules", "spec-kit")
    assert picture.stdout.startswith("<svg ")
    put(here / "notes.md", "# Notes\n\nNothing to do.\n")
    refused = run("plan", "graph", "notes.md")
    assert refused.exit_code == 2
    assert "notes.md has no graph: this is not a plan in a known format; a format is named by --rules" in refused.stderr
    of_folder = run("plan", "graph", ".")
    assert (of_folder.exit_code, of_folder.stderr[-36:]) == (2, ": . is a folder; name one plan file\n")
