"""A job's summary: the verdict first, only what changed, nothing foreign as markup."""

from markdown_it import MarkdownIt

from pytest_planguard.report.forms.markdown import CASES, code
from pytest_planguard.runs.compare.compare import compare

from ...support.runs import bad, good, run
from ..diffs import listed, odd_diff, report
from ..forms import render_markdown


def test_the_verdict_stands_on_the_first_line_and_the_age_of_the_base_below():
    """What a reader needs first comes first."""
    lines = render_markdown(report()).splitlines()
    assert lines[0] == (
        "❌ **planguard: FAIL** 2 new failures, 1 fixed, 4 still failing, 1 changed but valid, 12 unchanged"
    )
    assert lines[2:4] == ["`main` → `candidate`  ", "- `2 new failures`"]
    assert lines[5] == "Base: `commit 111111111111, 2026-11-18 10:00 (3 days old)`  "
    assert lines[6].startswith("Candidate: `commit 222222222222 with uncommitted changes, ")


def test_a_change_is_a_row_with_the_rule_that_it_breaks():
    """Place, both values and the rule; values stand in code spans."""
    text = render_markdown(report())
    assert "### 2 new failures\n\n| case | field | before | now | what is wrong |\n|---|---|---|---|---|" in text
    assert "| `case-0005` | `recommendation` | `reject` | `APPROVE` | `breaks one_of` |" in text
    words = 'expected one of "approve", "reject", "revise", "escalate"; got "APPROVE"'
    assert f"|  |  |  |  | `recommendation (line 1, column 153): {words}` |" in text
    assert "| `case-0007` | `recommendation` | `maybe` | `revise` | `fixes one_of` |" in text


def test_unchanged_cases_are_counted_and_not_listed():
    """Only what changed is shown."""
    text = render_markdown(report())
    assert "case-0001" not in text
    assert "12 unchanged" in text


def test_every_other_bucket_folds_and_says_why():
    """Stale, unstable and not comparable cases are named with the reason."""
    text = render_markdown(report(odd_diff()))
    assert "<details><summary>1 stale</summary>" in text
    assert "| `stale` | `the candidate's recording: the prompt changed` |" in text
    assert "`1 of 1 samples good" not in text
    assert text.count("<details>") == text.count("</details>")


def test_known_failures_are_told_apart_and_the_age_of_the_list_is_said():
    """The list's oldest entry shows how long somebody has looked away."""
    baseline = listed(("case-0000", "count", ("risks",)), ("case-0005", "one_of", ("recommendation",)))
    lines = render_markdown(report(baseline=baseline)).splitlines()
    assert lines[0].startswith("✅ **planguard: PASS** 2 new failures, ")
    assert lines[0].endswith(" (2 of the new failures are known)")
    assert "Baseline: 2 known, 5 not listed, the oldest listed 51 days ago  " in lines
    assert any(line.startswith("| `case-0000` (known) |") for line in lines)


def test_many_cases_are_counted():
    """A job's summary has a limit: fifty cases of a bucket are listed, the rest is counted."""
    keys = [f"k{number}" for number in range(CASES + 7)]
    text = render_markdown(report(compare(run("a", map(good, keys)), run("b", map(bad, keys)))))
    assert "… and 7 more." in text


def test_a_code_span_is_plain_text_whatever_it_holds():
    """Backticks, bars, markup, mentions and links stay what they are, also in a table."""
    for text in ("a`b``c", "`", "a|b", "a\\|b", "<script>x</script>", "[a](http://b)", "**b** @all", "\\"):
        lines = f"| h | i |\n|---|---|\n| {code(text)} | end |"
        html = MarkdownIt("commonmark").enable("table").render(lines)
        shown = text.replace("\\|", "\\\\x7c").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        assert f"<td><code>{shown}</code></td>\n<td>end</td>" in html, text


def test_blank_text_is_no_code_span():
    """An empty span would be two loose backticks."""
    assert code(" \n ") == ""
