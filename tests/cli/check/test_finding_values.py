"""A finding in the JSON of `planguard check`: the same fields in answers and plans."""

from dataclasses import replace

from pytest_planguard.cli.check.check_output import finding_values

from ...support.verdicts import PRIORITY


def test_a_finding_as_plain_values():
    """Line and column count from 1; both are null for a finding that has no place in the text."""
    values = finding_values(PRIORITY)
    assert (values["code"], values["path"], values["line"], values["column"]) == ("enum", ["priority"], 3, 15)
    assert values["message"] == 'expected one of "low", "high"; got "hi"'
    nowhere = finding_values(replace(PRIORITY, span=None))
    assert (nowhere["line"], nowhere["column"]) == (None, None)
