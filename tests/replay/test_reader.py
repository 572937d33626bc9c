"""Reading recordings: every form in use, and one clear error for everything that is none."""

from pathlib import Path

from pytest_planguard.replay.reader import read_recording

PLAIN = """\
interactions:
- request:
    body: '{"model":"m","messages":[{"role":"user","content":"Plan it"}]}'
    headers:
      Content-Type:
      - application/json
    method: POST
    uri: http://127.0.0.1/v1/chat/completions
  response:
    body:
      string: '{"id":"c1","choices":[{"index":0,"message":{"content":"{}"},"finish_reason":"stop"}]}'
    headers:
      content-type:
      - application/json
    status:
      code: 200
      message: OK
version: 1
"""


def test_plain_vcrpy_file(tmp_path: Path) -> None:
    """A plain vcrpy file gives numbered exchanges with lower-case headers."""
    file = tmp_path / "a.yaml"
    file.write_text(PLAIN, encoding="utf-8")

    recording = read_recording(file)

    assert (recording.path, recording.format, recording.notes) == (file, "yaml", ())
    assert recording.interactions[0].request.headers == {"content-type": "application/json"}
    (exchange,) = recording.exchanges
    assert (exchange.number, exchange.dialect, exchange.answer_text) == (1, "openai.chat", "{}")
