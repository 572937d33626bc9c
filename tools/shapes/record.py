"""Record the apps of many shapes: `python -m tools.shapes.record [FOLDER]` (needs the packages openai and vcrpy)."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any

from .apps import APPS, App
from .loops import LOOPS
from .scripted import scripted

HOST = "http://127.0.0.1:9"
"""What recordings say instead of the port, which differs each time."""


def main() -> None:
    """Record every app again."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "cassettes/shapes")
    folder.mkdir(parents=True, exist_ok=True)
    for name, app in {**APPS, **LOOPS}.items():
        path = folder / f"{name}.yaml"
        path.unlink(missing_ok=True)
        record(app, path)
        print(f"{path}: {path.stat().st_size:,} bytes")


def record(app: App, path: Path) -> None:
    """Run one app against its answers and keep what was sent."""
    import openai
    import vcr

    with scripted(app.answers) as base_url:

        def request(sent: Any) -> Any:
            sent.uri = sent.uri.replace(base_url, f"{HOST}/v1")
            sent.headers = {"content-type": "application/json"}
            return sent

        def response(got: Any) -> Any:
            return {**got, "headers": {"content-type": ["application/json"]}}

        recorder = vcr.VCR(before_record_request=request, before_record_response=response, record_mode="all")
        client = openai.OpenAI(base_url=base_url, api_key="unused", max_retries=0)

        def ask(**asked: Any) -> dict[str, Any]:
            answer = client.chat.completions.create(model="scripted", temperature=0, **asked)
            message: dict[str, Any] = answer.choices[0].message.model_dump(exclude_none=True)
            return message

        with recorder.use_cassette(str(path)), contextlib.suppress(openai.APIStatusError):
            app.run(ask)


if __name__ == "__main__":
    main()
