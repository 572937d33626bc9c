"""`planguard lint`: prompt templates that have no place for feedback."""

from pathlib import Path

import pytest

from ..support.commands import run

CONTEXT = """\
# Plan

Write a plan.

## Retry Context (if present)

$RETRY_INFO
$VALIDATION_ERRORS

{}

## Steps

Think.
"""
GOOD = "Write a ticket.\n$RETRY_INFO\n$VALIDATION_ERRORS\n"
BAD = "Write a ticket.\n$RETRY_INFO\n$VALIDATION_ERROR\n"


def test_faults_by_file_and_line(tmp_path: Path) -> None:
    """A folder's templates one by one; the code fails a build where one of them is to be fixed."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "good.md").write_text(GOOD, encoding="utf-8")
    bad = tmp_path / "bad.j2"
    bad.write_text(f"\ufeff{BAD}", encoding="utf-8")
    (tmp_path / "app.py").write_text("x = 1", encoding="utf-8")
    done = run("lint", str(tmp_path))
    assert done.exit_code == 1
    assert done.stdout == (
        f"{bad}:3: $VALIDATION_ERROR is not a variable; did you mean $VALIDATION_ERRORS?\n"
        f"{bad}: the prompt template has no $VALIDATION_ERRORS: a retry would not say what was wrong\n"
        "2 prompt templates: 1 good, 1 to fix\n"
    )


ENDS = ("md", "markdown", "txt", "prompt", "j2", "jinja", "jinja2", "tmpl", "tpl", "mustache", "hbs")


@pytest.mark.parametrize("options", [(), ("--retry-context",)])
def test_a_folder_has_templates_of_eleven_kinds(options: tuple[str, ...], tmp_path: Path) -> None:
    """By the ends of their names, in any case; other files are none."""
    for end in (*ENDS, "TXT", "py", "yaml", "json", "html"):
        (tmp_path / f"a-prompt.{end}").write_text(CONTEXT.format("Fix the errors."), encoding="utf-8")
    assert run("lint", str(tmp_path), *options).stdout == "12 prompt templates: 12 good, 0 to fix\n"


def test_a_named_file_is_a_template_whatever_it_is_called(tmp_path: Path) -> None:
    """So is standard input."""
    named = tmp_path / "prompt.yaml"
    named.write_text(GOOD, encoding="utf-8")
    assert run("lint", str(named)).stdout == "1 prompt template: 1 good, 0 to fix\n"
    piped = run("lint", "-", stdin=BAD)
    assert piped.exit_code == 1
    assert piped.stdout.startswith("standard input:3: $VALIDATION_ERROR is not a variable")


def test_what_cannot_be_read_is_told_apart(tmp_path: Path) -> None:
    """A file of another encoding, or none at all, is no fault of a template; the others are read all the same."""
    (tmp_path / "empty").mkdir()
    nothing = run("lint", str(tmp_path / "empty"))
    assert nothing.exit_code == 3
    assert "no prompt template; in a folder one ends in .md, " in nothing.stderr
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe$")
    (tmp_path / "b.txt").write_text(GOOD, encoding="utf-8")
    partly = run("lint", str(tmp_path))
    assert (partly.exit_code, partly.stdout) == (3, "1 prompt template: 1 good, 0 to fix\n")
    assert partly.stderr.startswith(f"planguard: {tmp_path / 'a.txt'}: not read: 'utf-8' codec can't decode")


def test_the_section_on_retries() -> None:
    """With both variables and an instruction in it; asked for by an option alone."""
    good = CONTEXT.format("If errors stand above, fix them and nothing else.")
    assert run("lint", "-", "--retry-context", stdin=good).stdout == "1 prompt template: 1 good, 0 to fix\n"
    silent = run("lint", "-", "--retry-context", stdin=CONTEXT.format(""))
    assert silent.exit_code == 1
    assert silent.stdout.startswith(
        "standard input:5: the section Retry Context gives no instruction; say what to do with the errors\n"
    )
    assert run("lint", "-", stdin=CONTEXT.format("")).exit_code == 0
    apart = run("lint", "-", "--retry-context", stdin=good.replace("$RETRY_INFO\n", "") + "$RETRY_INFO\n")
    assert apart.stdout.startswith(
        "standard input:5: $RETRY_INFO is outside the section Retry Context; move it below that heading\n"
    )
    none = run("lint", "-", "--retry-context", stdin=GOOD)
    assert none.stdout.startswith("standard input: no section on retries: got no heading Retry Context; write ## Retry")
