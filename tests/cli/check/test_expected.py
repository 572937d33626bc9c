"""`expected.yaml`: what is broken on purpose fails nothing, and what is not as expected does."""

import json
import shutil
from pathlib import Path

import pytest

from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.outcome import CHECK_NAMES

from ...support.commands import run
from ...support.paths import ROOT

SHAPES = ROOT / "cassettes" / "shapes"
BROKEN, CORRECT = "item.broken.yaml", "item.correct.yaml"
pytest.importorskip("jsonschema_rs", reason="schemas of requests are judged with the extra [jsonschema]")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A broken and a correct cassette."""
    for name in (BROKEN, CORRECT):
        shutil.copy(SHAPES / name, tmp_path)
    return tmp_path


def expect(folder: Path, text: str) -> None:
    """Write what is expected there."""
    (folder / "expected.yaml").write_text(f"planguard: expected\n{text}")


def test_what_is_broken_on_purpose_fails_nothing(folder: Path) -> None:
    """Without the file it is listed and fails; with it the figures count it, and the file itself is no answer."""
    plain = run("check", str(folder))
    assert (plain.exit_code, f"{BROKEN} [" in plain.output, "on purpose" in plain.output) == (1, True, False)
    expect(folder, 'fails: {"*.broken.yaml": [feedback]}\n')
    done = run("check", str(folder))
    assert (done.exit_code, f"{BROKEN} [" in done.output) == (0, False)
    assert "  1 fail as expected.yaml says\n" in done.output
    assert "left out" not in done.output
    found = json.loads(run("check", str(folder), "--format", "json").output)
    assert [file.get("on_purpose", False) for file in found["files"]] == [True, False]
    assert (found["summary"]["on_purpose"], found["summary"]["surprises"]) == (1, 0)


def test_a_named_recording_is_held_against_its_folder(folder: Path) -> None:
    """It need not be found in a folder; with -v the conversation is shown all the same."""
    expect(folder, f"fails: {{{BROKEN}: feedback}}\n")
    done = run("check", str(folder / BROKEN), "-v")
    assert done.exit_code == 0
    assert "MISSING" in done.output


@pytest.mark.parametrize(
    ("fails", "file", "words"),
    [
        ("{item.correct.yaml: [feedback]}", CORRECT, "expected to fail feedback, and it holds"),
        ("{item.broken.yaml: [feedback, stops]}", BROKEN, "expected to fail feedback, stops, and only feedback failed"),
    ],
)
def test_what_is_not_as_expected_is_bad(folder: Path, fails: str, file: str, words: str) -> None:
    """A regression that is noticed no more, or for another reason."""
    expect(folder, f"fails: {fails}\n")
    done = run("check", str(folder))
    assert done.exit_code == 1
    assert f"{folder / file}: {words}: fix expected.yaml, or find out what is overlooked\n" in done.output
    assert "; 1 cassette does not\n" in done.output


def test_the_last_pattern_counts_and_an_empty_list_expects_nothing(folder: Path) -> None:
    """So an exception stands below its rule."""
    expect(folder, f'fails:\n  "*": [feedback]\n  {CORRECT}: []\n')
    assert run("check", str(folder)).exit_code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "fails: [feedback]\n",
            "expected.yaml: fails must map file names to checks: got ['feedback']; write \"*.broken",
        ),
        ("", 'expected.yaml: fails must map file names to checks: got None; write "*.broken.yaml": [feedback]'),
        (
            "fails: {a.yaml: fedback}\n",
            "expected.yaml: a.yaml: no check has this name: got fedback; did you mean 'feedback'?",
        ),
        (
            "fails: {a.yaml: [7]}\n",
            "expected.yaml: a.yaml: no check has this name: got 7; name one of feedback, stops,",
        ),
    ],
)
def test_expectations_that_cannot_be_understood_are_an_error(folder: Path, text: str, message: str) -> None:
    """Exit code 3: nobody knows what to expect."""
    expect(folder, text)
    done = run("check", str(folder))
    assert (done.exit_code, message in done.stderr) == (3, True), done.stderr


def test_another_file_of_that_name_is_an_answer_as_before(folder: Path) -> None:
    """Expected answers are called so in many projects."""
    (folder / "expected.yaml").write_text("title: x\n")
    assert "left out" in run("check", str(folder)).output


def test_the_names_of_checks_are_all_there_are() -> None:
    """A new check can be expected to fail, too."""
    from pytest_planguard.replay.files.reader import read_cassette

    from ...support.ticket import TICKET

    exchanges = read_cassette(SHAPES / BROKEN).exchanges
    found = judge(exchanges, [TICKET], options=JudgeOptions()).conversations
    assert {check.name for conversation in found for check in conversation.checks} <= set(CHECK_NAMES)


@pytest.mark.slow
def test_all_recordings_of_the_project_are_as_expected() -> None:
    """What is broken on purpose is told from what is good: 72 conversations, and no failure."""
    done = run("check", str(ROOT / "cassettes"), "-q")
    assert (done.exit_code, "72 fail as expected.yaml says\n" in done.output) == (0, True), done.output


def test_every_broken_recording_is_expected_to_fail() -> None:
    """By its folder; a new folder of broken ones cannot be forgotten."""
    folders = {path.parent for path in (ROOT / "cassettes").rglob("*.broken.yaml")}
    assert {folder for folder in folders if not (folder / "expected.yaml").is_file()} == set()


@pytest.mark.parametrize("folder", ["fixtures", "cassettes"])
def test_each_folder_is_described_in_its_readme(folder: str) -> None:
    """What, from where, and the licence; a folder that is new is missed."""
    text = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    inside = {path.name for path in (ROOT / folder).iterdir() if path.is_dir()}
    assert {name for name in inside if f"| `{name}/` |" not in text} == set()
    assert "Licence: MIT" in text
