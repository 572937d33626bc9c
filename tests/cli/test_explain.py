"""`planguard explain`: one word, several, all, and one that nobody knows."""

import json

from ..support.commands import run


def test_one_word_in_full() -> None:
    """What, why, example, what to do."""
    result = run("explain", "truncated")
    assert result.exit_code == 0
    assert result.stdout == (
        "truncated (failure kind)\n"
        "  What:    The answer did not end: the finish reason says so, or the text stops inside the document.\n"
        "  Why:     The token limit was reached. The same limit cuts the next answer too.\n"
        '  Example: `{"title": "Printer on fire", "steps": ["Cut the po`\n'
        "  Do:      Raise the token limit or ask for less; half a document is never repaired.\n"
    )


def test_a_word_with_two_meanings_has_both() -> None:
    """`range` is a kind of failure and a constraint."""
    heads = [line for line in run("explain", "range").stdout.splitlines() if line[:1] not in ("", " ")]
    assert heads == ["range (failure kind)", "range (constraint)"]


def test_a_broken_rule_as_rows_write_it() -> None:
    """A prefix chooses the sort; what follows `gave_up:` is the app's own."""
    assert run("explain", "check:feedback").stdout.startswith("feedback (check)\n")
    assert run("explain", "outcome:stale").stdout.startswith("stale (outcome)\n")
    assert run("explain", "gave_up:myapp.NoTicket").stdout.startswith("gave_up (failure of a case)\n")


def test_codes_of_validators_are_explained_by_family() -> None:
    """Pydantic's own code, and a keyword of JSON Schema."""
    assert run("explain", "int_parsing").stdout.startswith("pydantic: type (validator codes)\n")
    assert run("explain", "minItems").stdout.startswith("JSON Schema: length (validator codes)\n")


def test_a_typo_is_answered_with_the_nearest_name() -> None:
    """Exit code 2: the command itself is wrong."""
    result = run("explain", "runcated")
    assert result.exit_code == 2
    assert result.stderr == "planguard: unknown word: got 'runcated'; did you mean 'truncated'?\n"
    far = run("explain", "qqqqqq")
    assert far.stderr == "planguard: unknown word: got 'qqqqqq'; `planguard explain` lists every name\n"


def test_without_a_word_it_lists_every_one() -> None:
    """Sort by sort, one line each."""
    lines = run("explain").stdout.splitlines()
    assert lines[0] == "failure kind"
    assert (
        "  truncated      The answer did not end: the finish reason says so, or the text stops inside the document."
        in lines
    )
    assert {"check", "outcome", "constraint", "plan rule", "validator codes"} <= set(lines)


def test_as_json() -> None:
    """The same values for a program."""
    data = json.loads(run("explain", "--format", "json", "distinct").stdout)
    assert data["version"] == 1
    assert [entry["name"] for entry in data["explanations"]] == ["distinct"]
    assert set(data["explanations"][0]) == {"name", "sort", "what", "why", "example", "do"}
