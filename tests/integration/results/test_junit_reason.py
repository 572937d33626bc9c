"""pytest's own JUnit XML says why a marked test failed, where a CI server shows it."""

from xml.etree import ElementTree as ET

from ...support.warm import WarmExample

APP = """
import pytest
from pydantic import BaseModel
from pytest_planguard import Contract

class Ticket(BaseModel):
    title: str

@pytest.mark.planguard(Contract(Ticket))
def test_it(planguard):
    planguard.check('{"title": 1, "note": "]]> \\\\u001b[31m <b>"}')
"""


def test_a_failure_has_its_reason_in_the_message_and_its_findings_below() -> None:
    """The message is one line about the contract; the text has every finding with its place; the file is XML."""
    run = WarmExample({"test_a.py": APP}).run_pytest("--junit-xml=out.xml")
    assert run.outcomes == {"failed": 1}, run.output
    (case,) = ET.fromstring(run.example.read("out.xml")).iter("testcase")
    failure = case.find("failure")
    assert failure is not None
    message, text = failure.get("message") or "", failure.text or ""
    assert message.startswith("planguard: not a valid Ticket: 1 finding"), message
    assert "title (line 1, column 11)" in text
    assert "\x1b" not in text
