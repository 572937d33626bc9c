"""How plan files are judged, said in words."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from pytest_planguard.contract.finding import Severity
from pytest_planguard.errors import UsageError
from pytest_planguard.plans.judging.policy import policy_of, with_formats
from pytest_planguard.plans.profiles.formats import PROFILES
from pytest_planguard.plans.rules.judge_plan import BY_CODE, RULES

from ...support.plans import text_of

TASKS = text_of("spec-kit-tasks")[1]
DUPLICATE = TASKS.replace("] T002 [P]", "] T001 [P]")
NO_PLAN = "# Notes\n\nNothing planned.\n"


def codes(words: list[str], text: str) -> list[str]:
    """What a policy finds in one file."""
    return [finding.code for finding in policy_of(words).judge({"a/tasks.md": text})["a/tasks.md"].findings]


def test_no_words_are_the_defaults() -> None:
    """Every rule, every format told by its content, no severity changed."""
    policy = policy_of()
    assert (policy.format, policy.rules, dict(policy.severity), policy.medium) == (None, tuple(RULES), {}, None)


def test_words_weigh_rules_and_switch_them_on_and_off() -> None:
    """CODE=LEVEL and CODE=off, with or without blanks around; a named rule that is off by default runs."""
    assert codes([], DUPLICATE) == ["id-unique"]
    assert codes(["id-unique=off"], DUPLICATE) == []
    assert policy_of([" id-unique = warn "]).severity == {"id-unique": Severity.WARN}
    assert not BY_CODE["id-gap"].on
    assert codes(["id-gap=info"], TASKS.replace("T002", "T009")) == ["id-gap"]


def test_a_family_does_not_take_what_does_not_fit_and_a_format_takes_what_is_forced() -> None:
    """The user's word counts for one format; which document of a family an unlikely file would be, nobody said."""
    for word, forced, found in (
        ("spec-kit", {"a.md"}, False),
        ("spec-kit-tasks", {"a.md"}, True),
        ("spec-kit-tasks", set(), False),
    ):
        assert (policy_of([word]).judge({"a.md": NO_PLAN}, forced)["a.md"].plan is not None) is found


def test_the_medium_of_a_format() -> None:
    """Told where all documents of the name have the same."""
    names = ("spec-kit", "autospec", "superpowers")
    assert [policy_of([name]).medium for name in names] == ["markdown", "data", None]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["speckit"], "unknown plan format 'speckit'. Did you mean 'spec-kit'? Known: "),
        (["kiro", "bmad"], "name one plan format, not 2: kiro, bmad"),
        (["id-uniqe=warn"], "unknown plan rule 'id-uniqe'. Did you mean 'id-unique'?"),
        (["id-unique=loud"], "id-unique=loud: unknown severity 'loud'. Known: info, warn, retry, fail, off"),
    ],
)
def test_a_wrong_word_is_answered(words: list[str], message: str) -> None:
    """With the nearest known one, or all of them."""
    with pytest.raises(UsageError) as raised:
        policy_of(words)
    assert str(raised.value).startswith(message)


def test_the_digest_changes_with_every_word_and_with_nothing_else() -> None:
    """12 hex digits, equal in another process."""
    words = [[], ["spec-kit"], ["id-unique=off"], ["id-unique=warn"], ["id-gap=warn"]]
    digests = [policy_of(one).digest for one in words] + [policy_of(["schema=off"]).digest]
    digests.append(policy_of(["schema=implemented"]).digest)
    assert len(set(digests)) == len(digests)
    assert policy_of(["id-unique=warn", "id-gap=warn"]).digest == policy_of(["id-gap=warn", "id-unique=warn"]).digest
    code = "from pytest_planguard.plans.judging.policy import policy_of; print(policy_of(['spec-kit']).digest)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digests[1]


def test_rules_and_schema_say_the_same_thing_once() -> None:
    """With the schema, an unknown status is one finding, at the value; what the schema alone knows is added."""
    text = text_of("autospec-tasks")[1].replace("status: Pending", "status: Open", 1)
    with_schema = policy_of().judge({"tasks.yaml": text})["tasks.yaml"]
    assert [finding.code for finding in with_schema.findings if finding.severity.bad] == ["enum"]
    assert [
        f.code for f in policy_of(["schema=off"]).judge({"tasks.yaml": text})["tasks.yaml"].findings if f.severity.bad
    ] == ["status-enum"]
    assert policy_of().judge({"a.md": TASKS}) == policy_of(["schema=off"]).judge({"a.md": TASKS})


def test_words_about_the_schema() -> None:
    """The schema is checked by default; "schema=off" leaves it out, and a version names the words for a status."""
    for words, expected in (
        ([], (True, "completed")),
        (["schema"], (True, "completed")),
        (["schema=off"], (False, "completed")),
        ([" schema = implemented "], (True, "implemented")),
    ):
        policy = policy_of(words)
        assert (policy.schema, policy.version) == expected
    with pytest.raises(UsageError) as raised:
        policy_of(["schema=newest"])
    assert str(raised.value) == "unknown schema version 'newest'. Known: completed, implemented"


def test_registered_formats_and_rules_count_everywhere_and_can_be_taken_out() -> None:
    """A name in use is refused; what was registered is in every policy until it is taken out."""
    own = replace(PROFILES.built_in[0], name="own-tasks")
    rule = replace(RULES.built_in[0], code="own-rule")
    try:
        PROFILES.register(own.name, own)
        RULES.register(rule.code, rule)
        assert own in policy_of().profiles
        assert rule in policy_of().rules
        with pytest.raises(UsageError, match=r"^a plan format 'own-tasks' exists already; choose another name$"):
            PROFILES.register(own.name, replace(own, about="Another."))
        with pytest.raises(UsageError, match=r"^a plan rule 'own-rule' exists already; choose another name$"):
            RULES.register(rule.code, replace(rule, what="Another."))
    finally:
        PROFILES.unregister("own-tasks")
        RULES.unregister("own-rule")
    assert own not in policy_of().profiles
    assert rule not in policy_of().rules


@pytest.mark.parametrize("word", ["x=formats.yaml", "a/*.yaml:id-unique=off.yaml", "kiro", "formats.yaml.txt"])
def test_a_word_with_an_equals_sign_is_no_file_of_formats(word: str) -> None:
    """Nor is one with another ending: both stay words."""
    assert with_formats([word]) == ([word], [])


def test_a_file_of_formats_that_is_not_there_is_named() -> None:
    """A word that ends like a file is one."""
    with pytest.raises(UsageError, match=r"^missing\.yaml"):
        with_formats([" missing.yaml "])
