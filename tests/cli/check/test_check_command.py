"""`planguard check`: what is judged, what is printed, and the exit code."""

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from pytest_planguard.cli.check.file_report import FileReport
from pytest_planguard.cli.check.judge_file import Judge
from pytest_planguard.cli.inputs.sources import Source
from pytest_planguard.document.limits import MAX_SIZE
from pytest_planguard.replay.files.cassette_text import render

from ...support.cassettes import BAD, GOOD, RESPONSE_FORMAT, conversation, write
from ...support.commands import run
from ...support.exchanges import chat, user
from ...support.warm import inner_environment, run_module


def check(*arguments: str) -> Result:
    """Run `planguard check`; an exception that escapes fails the test."""
    return run("check", *arguments)


PERSON = ("-c", "models.py:Person")


def test_a_conversation_that_converges(here: Path) -> None:
    """The figures, and exit code 0."""
    write(here / "a.yaml", conversation(BAD, GOOD))
    result = check("a.yaml", *PERSON)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[:4] == [
        "read              1 cassette with 2 exchanges",
        "conversations     1: 1 converged",
        "valid by attempt  0/1/1/1 of 1 (by attempt 1/2/3/4)",
        "retries           0/1 repeat the answer before, 0 any earlier answer",
    ]


def test_a_retry_that_lost_its_feedback_fails(here: Path) -> None:
    """One line names the cassette, the conversation and the check; the last line says how to see more."""
    write(here / "a.yaml", conversation(BAD, GOOD, told=False))
    result = check("a.yaml", *PERSON)
    assert result.exit_code == 1
    first, *_, last = result.output.strip().splitlines()
    assert first == "a.yaml [1] converged, 2 attempts: missing on the way to attempt 2: age (failed: feedback)"
    assert last == "Attempt by attempt: planguard show a.yaml -c models.py:Person"


def test_a_conversation_that_never_becomes_valid_fails(here: Path) -> None:
    """The line says how it ended, and names a check once."""
    write(here / "a.yaml", conversation(BAD, BAD, BAD))
    first = check("a.yaml", *PERSON).output.splitlines()[0]
    assert (
        first == "a.yaml [1] stuck, 3 attempts: the last answer (attempt 3) is not valid: age [missing] (failed: valid)"
    )


def test_a_recording_without_exchanges_is_not_judged(here: Path) -> None:
    """An empty list of interactions is a cassette in which there is nothing to judge: exit code 3."""
    write(here / "a.yaml", [])
    result = check("a.yaml", *PERSON)
    assert (result.exit_code, result.output) == (3, "read  1 cassette with 0 exchanges\n")


def test_quiet_prints_the_figures_only(here: Path) -> None:
    """-q leaves out what is bad; the exit code stays."""
    write(here / "a.yaml", conversation(BAD, GOOD, told=False))
    result = check("a.yaml", *PERSON, "-q")
    assert result.exit_code == 1
    assert result.output.startswith("read ")
    assert "planguard show" not in result.output


def test_verbose_prints_good_conversations_too(here: Path) -> None:
    """-v shows each attempt and its findings."""
    write(here / "a.yaml", conversation(BAD, GOOD))
    result = check("a.yaml", *PERSON, "-v")
    assert "attempt 1" in result.output
    assert "attempt 2" in result.output


def test_auto_takes_the_schema_from_the_request_and_says_that_it_is_partial(here: Path) -> None:
    """Without a contract the request's own response_format judges, and the reader is told what that leaves out."""
    write(here / "a.yaml", conversation(BAD, GOOD, response_format=RESPONSE_FORMAT))
    result = check("a.yaml")
    assert result.exit_code == 0, result.output
    assert "valid by attempt  0/1/1/1 of 1" in result.output
    assert "Judged by the schemas in the requests only" in result.output


def test_auto_without_a_schema_judges_nothing_and_says_so(here: Path) -> None:
    """A request that demands no schema cannot be judged: exit code 3 and what to do."""
    write(here / "a.yaml", conversation(GOOD))
    result = check("a.yaml", "--contract", "auto")
    assert result.exit_code == 3
    assert "1 × the request demands no schema; name a contract to judge it" in result.output


def test_the_options_reach_the_judgement(here: Path) -> None:
    """--max-attempts is the budget of every conversation."""
    write(here / "a.yaml", conversation(BAD, '{"name": "Bob"}', '{"name": "Eve"}'))
    outcomes = [
        json.loads(check("a.yaml", *PERSON, "--format", "json", *more).output) for more in ((), ("--max-attempts", "5"))
    ]
    assert [o["files"][0]["rows"][0]["judged"][0]["max_attempts"] for o in outcomes] == [3, 5]


def test_answers_one_a_line(here: Path) -> None:
    """Each bad line is named, with the place in the model's own text."""
    (here / "a.jsonl").write_text(f"{GOOD}\n{BAD}\n")
    result = check("a.jsonl", *PERSON)
    assert result.exit_code == 1
    assert result.output.startswith("a.jsonl:2: not a valid Person: 1 finding\n")
    assert "answers      1 of 2 meet the contract" in result.output


@pytest.mark.parametrize(("content", "code"), [(GOOD, 0), (BAD, 1), ("", 1)])
def test_a_file_that_is_one_answer(here: Path, content: str, code: int) -> None:
    """A JSON file without interactions is an answer; an empty one is an empty answer."""
    (here / "a.json").write_text(content)
    result = check("a.json", *PERSON)
    assert result.exit_code == code
    assert bool(re.match(r"a\.json(:1:1)?: not a valid Person", result.output)) == bool(code)


def test_answers_need_one_contract(here: Path) -> None:
    """Without a contract an answer cannot be judged; with two nobody knows by which."""
    (here / "a.jsonl").write_text(GOOD)
    none = check("a.jsonl")
    assert none.exit_code == 3
    assert "a.jsonl: error: not a cassette" in none.output
    assert "Add --contract module:NAME or file.py:NAME." in none.output
    two = check("a.jsonl", *PERSON, "-c", "models.py:PERSON")
    assert two.exit_code == 3
    assert "a.jsonl: error: answers are judged by one contract, and several were named" in two.output


def _retries(file: dict[str, Any]) -> bool:
    """Whether a conversation of the file has a retry."""
    return any(len(talk["attempts"]) > 1 for row in file["rows"] for talk in row["judged"])


def test_json_output_is_one_document(here: Path) -> None:
    """Programs get files with their cases, as a run keeps them, and the figures."""
    write(here / "a.yaml", conversation(BAD, GOOD))
    (here / "b.jsonl").write_text(BAD)
    result = check("a.yaml", "b.jsonl", *PERSON, "--format", "json")
    assert result.exit_code == 1
    printed = json.loads(result.stdout)
    assert printed["schema"] == 1
    cassette, answers = (file["rows"][0] for file in printed["files"])
    assert cassette["judged"][0]["outcome"] == "converged"
    assert cassette["judged"][0]["attempts"][0]["findings"][0]["code"] == "missing"
    assert answers["judged"][0]["attempts"][0]["findings"][0]["path"] == ["age"]
    assert printed["summary"]["valid_by_attempt"] == [0, 1, 1, 1]


BROKEN = {
    "empty.yaml": b"",
    "broken.yaml": b"interactions:\n- request: [\n",
    "half.yaml.part": b"interactions:\n- request:\n    method: POST\n",
    "binary.yaml": b"\x00\xff\xfe\x00" * 100,
    "not_utf8.yaml": "interactions: [] # é".encode("latin-1"),
    "brackets.json": b"[" * 1_000_000,
    "brackets.yaml": b"interactions: " + b"[" * 1_000_000,
    "list.yaml": b"interactions: 7\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_one_clear_error_and_the_others_are_judged(here: Path, name: str) -> None:
    """The file is named once, with a way out; nothing escapes; the cassette beside it is judged; exit code 3."""
    (here / "in").mkdir()
    (here / "in" / name).write_bytes(BROKEN[name])
    write(here / "in" / "good.yaml", conversation(GOOD, response_format=RESPONSE_FORMAT))
    result = check("in")
    errors = [line for line in result.output.splitlines() if ": error: " in line]
    assert len(errors) == 1, result.output
    assert errors[0].startswith(f"in/{name}: error: ")
    assert errors[0].partition(" Restore it with")[0].count(name) == 1
    assert result.exit_code == 3
    assert "1 converged" in result.output
    assert "Traceback" not in result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    ["[" * 10_000 + "]" * 10_000, '{"a":' * 10_000 + "1" + "}" * 10_000, "[" * 1_000_000, "x" * (MAX_SIZE + 1)],
    ids=["10,000 lists", "10,000 objects", "1 MB of brackets", "too large"],
)
def test_a_monstrous_answer_is_a_finding(here: Path, answer: str) -> None:
    """Depth and size end in a finding of that answer, never in a crash, and the output stays readable."""
    (here / "a.json").write_text(answer)
    result = check("a.json", *PERSON)
    assert result.exit_code == 1
    assert re.match(r"a\.json:1:\d+: not a valid Person: ", result.output)
    assert len(result.output) < 5_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer", ["[" * 10_000 + "]" * 10_000, "[" * 1_000_000], ids=["10,000 deep", "1 MB of brackets"]
)
def test_a_monstrous_answer_in_a_recording_is_a_finding(here: Path, answer: str) -> None:
    """A conversation with such an answer is judged like any other."""
    write(here / "a.yaml", conversation(answer, GOOD, told=False))
    result = check("a.yaml", *PERSON)
    assert result.exit_code == 1
    assert "1: 1 converged" in result.output
    assert len(result.output) < 5_000


def test_an_unreadable_path_and_an_empty_folder(here: Path) -> None:
    """A path that does not exist is a usage error; a folder without anything to judge is said to be one."""
    assert check("gone.yaml").exit_code == 2
    (here / "empty").mkdir()
    result = check("empty")
    assert result.exit_code == 3
    assert result.stderr == (
        "planguard: empty: no cassette, no answers and no plan; "
        "looked for .yaml, .yml, .json, .yaml.gz, .yml.gz, .json.gz, .jsonl, .ndjson, .part, .md, .markdown\n"
    )


def test_other_files_of_a_folder_are_left_out_and_named(here: Path) -> None:
    """Settings between cassettes are no error."""
    write(here / "in" / "a.yaml", conversation(GOOD))
    (here / "in" / "settings.yaml").write_text("a: 1\n")
    result = check("in", *PERSON)
    assert result.exit_code == 0, result.output
    assert result.output.startswith(
        "read              1 cassette with 1 exchange\nleft out          1 other file: in/settings.yaml (-v says why)\n"
    )


def test_an_extension_is_imported(here: Path) -> None:
    """-p imports a module before anything is judged."""
    (here / "extra_rules.py").write_text("print('registered')\n")
    write(here / "a.yaml", conversation(GOOD))
    assert check("a.yaml", *PERSON, "-p", "extra_rules").stderr == "registered\n"
    missing = check("a.yaml", *PERSON, "-p", "no_such_rules")
    assert missing.exit_code == 2
    assert missing.stderr.startswith("planguard: -p no_such_rules: no_such_rules does not import: ")


def test_hostile_answers_cannot_reach_the_terminal(here: Path) -> None:
    """Escape sequences and text direction marks in answers, names and paths are shown, not obeyed."""
    write(here / "a.yaml", conversation('{"name": "\x1b[2J\u202e"}', '{"name": "\x1b]0;x\x07"}', told=False))
    (here / "b.jsonl").write_text('{"name": "\x1b[2J", "age": "\u202e"}\n')
    result = check("a.yaml", "b.jsonl", *PERSON, "-v")
    assert not set(result.output) & set("\x1b\x07\u202e")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["good.yaml", *PERSON], 0),
        (["missing.yaml", *PERSON], 1),
        (["good.yaml", "-c", "models.py:Nobody"], 2),
        (["good.yaml", "--max-attempts", "0"], 2),
        (["empty.yaml"], 3),
        (["empty.yaml", "missing.yaml", *PERSON], 1),
    ],
)
def test_exit_codes_of_the_real_command(here: Path, arguments: list[str], code: int) -> None:
    """0 good, 1 bad (whatever else), 2 wrong use, 3 not judged; never a traceback."""
    write(here / "good.yaml", conversation(BAD, GOOD))
    write(here / "missing.yaml", conversation(BAD, GOOD, told=False))
    (here / "empty.yaml").touch()
    done = run_module(["pytest_planguard", "check", *arguments], here, inner_environment())
    output = (done.stdout + done.stderr).decode()
    assert done.returncode == code, output
    assert "Traceback" not in output


@pytest.mark.slow
def test_a_lone_surrogate_is_printed_where_the_output_has_no_such_character(here: Path) -> None:
    """An answer that no encoding can write, on an ASCII terminal, does not end the report."""
    (here / "a.jsonl").write_text('{"name": "\\ud800 é", "age": "x"}\n')
    main = "from pytest_planguard.cli.main import main; main()"
    for output in ("text", "json"):
        done = subprocess.run(
            [sys.executable, "-X", "utf8=0", "-c", main, "check", "a.jsonl", *PERSON, "--format", output],
            capture_output=True,
            env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"},
            timeout=120,
            check=False,
        )
        assert done.returncode == 1, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "valid", "repeats", "retries"),
    [
        ("blind", [28, 36, 40, 43], (0, 0), 40),
        ("feedback", [28, 29, 30, 31], (21, 23), 57),
        ("inject", [28, 34, 41, 43], (0, 0), 41),
    ],
)
def test_the_arms_of_a_real_small_model(
    shared_data: Path, strategy: str, valid: list[int], repeats: tuple[int, int], retries: int
) -> None:
    """48 real loops a strategy give the figures that were counted when they were recorded."""
    folder = shared_data / "local_model"
    spec = f"{folder / 'scripts' / 'contract.py'}:Ticket"
    result = check(
        str(folder / "cassettes" / strategy),
        "-c",
        spec,
        "--extract",
        "whole",
        "--max-attempts",
        "4",
        "--format",
        "json",
    )
    figures = json.loads(result.stdout)["summary"]
    assert figures["conversations"] == 48
    assert figures["valid_by_attempt"] == valid
    assert figures["retries"] == retries
    assert (figures["repeats_of_the_answer_before"], figures["repeats_of_any_earlier_answer"]) == repeats
    grades = figures["retries_by_weakest_grade"]
    if strategy == "blind":
        assert grades == {"missing": retries}
    else:
        assert sum(grades.values()) == retries
        assert set(grades) <= {"verbatim", "located", "weak"}


@pytest.mark.slow
def test_all_real_recordings_are_judged_or_named(shared_data: Path) -> None:
    """Every one is read, what was kept as raw text is counted by reason, and no retry is seen where there is none."""
    result = check(str(shared_data / "recordings"), "--format", "json")
    printed = json.loads(result.stdout)
    cassettes = [file for file in printed["files"] if file["skipped"] is None]
    assert len(cassettes) == 461
    assert not [file["errors"] for file in cassettes if file["errors"]]
    assert sum(printed["summary"]["raw"].values()) == sum(sum(file["raw"].values()) for file in cassettes)
    assert all(printed["summary"]["raw"]), "each reason is said in words"
    with (shared_data / "recordings" / "index.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    known = {f"{row['repo'].replace('/', '__')}/{row['path']}" for row in rows if row["retry_class"]}
    reported = [file["path"] for file in cassettes if _retries(file)]
    assert reported
    assert [path for path in reported if path.partition("/recordings/")[2] not in known] == []


def test_a_defect_in_one_file_does_not_end_the_others(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What breaks inside planguard is an error of that file, one line, and the next file is judged."""
    real = Judge.file

    def breaks(judge: Judge, source: Source) -> FileReport:
        if source.path.name == "a.jsonl":
            raise RecursionError("too deep for us")
        return real(judge, source)

    monkeypatch.setattr(Judge, "file", breaks)
    for name in ("a.jsonl", "b.jsonl"):
        (here / name).write_text(GOOD)
    result = check("a.jsonl", "b.jsonl", *PERSON)
    assert result.exit_code == 3
    first = result.output.splitlines()[0]
    assert first.startswith("a.jsonl: error: this is a defect of planguard ")
    assert "RecursionError: too deep for us" in first
    assert "answers  1 of 1 meet the contract" in result.output


def test_an_edited_recording_is_told_and_fails_nothing(here: Path) -> None:
    """A line of its own, and in JSON a member of the file."""
    text = render([chat([user("Who?")], '{"name": "Ada", "age": 36}')]).replace("Ada", "Eve")
    (here / "a.yaml").write_text(text, encoding="utf-8")
    doubt = "changed by hand after it was recorded: its end mark has another digest"
    result = check("a.yaml", *PERSON)
    assert (result.exit_code, result.output.splitlines()[0]) == (0, f"a.yaml: note: {doubt}")
    assert json.loads(check("a.yaml", *PERSON, "--format", "json").output)["files"][0]["doubts"] == [doubt]


@pytest.mark.parametrize("gone", [2, 30, 100, 200, 260, 400])
def test_a_recording_that_is_cut_off_is_an_error(gone: int, here: Path) -> None:
    """Wherever it is cut: nothing of it is judged."""
    text = render([chat([user("Who?")], '{"name": "Ada", "age": 36}')] * 3)
    (here / "a.yaml").write_text(text[:-gone], encoding="utf-8")
    result = check("a.yaml", *PERSON)
    assert result.exit_code == 3
    assert result.output.startswith("a.yaml: error: was cut off: ")
