"""Text that differs in every run has one normal form."""

from __future__ import annotations

import json

import pytest

from pytest_planguard.replay.matching.normalise import NORMALISERS, normalise

from ...support.one_item import in_one_item

UUIDS = ("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7")


def test_the_names_of_the_normalisers() -> None:
    """In the order in which they apply; a project names those that it leaves out."""
    names = [normaliser.name for normaliser in NORMALISERS]
    assert names == ["call_id", "uuid", "timestamp", "pydantic_url", "address", "pytest_folder"]


@in_one_item
@pytest.mark.parametrize(
    ("text", "normal"),
    [
        (f"{UUIDS[0]} {UUIDS[1]} {UUIDS[0].upper()}", "<uuid 1> <uuid 2> <uuid 1>"),
        (f"a{UUIDS[0]} {UUIDS[0]}-1", f"a{UUIDS[0]} {UUIDS[0]}-1"),
        ("2026-11-22T14:47 2026-11-22 14:47:41.123Z", "<timestamp> <timestamp>"),
        ("2026-11-22T14:47:41,5+0100 2026-11-22T14:47-01:00", "<timestamp> <timestamp>"),
        ("12026-11-22T14:47 2026-11-22T14:471 2026-11-22", "12026-11-22T14:47 2026-11-22T14:471 2026-11-22"),
        ("errors.pydantic.dev/2.11/v/a", "errors.pydantic.dev/<version>/v/a"),
        ("errors.pydantic.dev/v2/a", "errors.pydantic.dev/v2/a"),
        ("<f at 0x7f0994bb8d90> at 0xabc at 0xfg", "<f at <address>> at 0xabc at 0xfg"),
        ('{"tool_call_id":"1","id":"1","n":"2"}', '{"tool_call_id":"<call 1>","id":"<call 1>","n":"2"}'),
        ('{"call_id":"b","tool_use_id":"a"}', '{"call_id":"<call 1>","tool_use_id":"<call 2>"}'),
        ('["call_abcdefghij","say call_abcdefghij"]', '["<call 1>","say call_abcdefghij"]'),
        ('["call_abcdefghi","call_me"]', '["call_abcdefghi","call_me"]'),
        ("/tmp/pytest-of-me/pytest-3/a.md", "<pytest folder>/a.md"),
        ("x=/tmp/pytest-of-me/pytest-3/popen-gw12/a", "x=<pytest folder>/a"),
        ("pytest-of-me/pytest-3", "<pytest folder>"),
        ("/tmp/pytest-of-me/pytest-x/a", "/tmp/pytest-of-me/pytest-x/a"),
    ],
)
def test_what_volatile_text_becomes(text: str, normal: str) -> None:
    """Ids are numbered as they first appear; what only resembles volatile text stays."""
    assert normalise(text) == normal


@in_one_item
@pytest.mark.parametrize(
    "prefix",
    [
        "call_",
        "toolu_",
        "toolu_bdrk_",
        "toolu_vrtx_",
        "tooluse_",
        "chatcmpl-tool-",
        "pyd_ai_",
        "fc_",
        "ctc_",
        "rs_",
        "msg_",
    ],
)
def test_ids_of_each_provider_are_known_by_their_beginning(prefix: str) -> None:
    """From ten characters on, as whole texts."""
    assert normalise(f'"{prefix}0123456789"') == '"<call 1>"'
    assert normalise(f'"{prefix}0123456789 "') == f'"{prefix}0123456789 "'


@in_one_item
@pytest.mark.parametrize("call_id", ['a"b', "a\\b", "a\nb", "ü", "1"])
def test_an_id_is_known_however_json_writes_it(call_id: str) -> None:
    """With quotes and other escapes."""
    body = {"id": call_id, "tool_call_id": call_id, "text": f"{call_id}."}
    normal = {"id": "<call 1>", "tool_call_id": "<call 1>", "text": f"{call_id}."}
    assert json.loads(normalise(json.dumps(body, separators=(",", ":")))) == normal
