"""Write a file of JSON whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

from ..errors import RunError


def write_atomically(path: Path, data: Any) -> None:
    """Write data as JSON into a file beside the target, and put it in the target's place.

    Raises:
        RunError: the folder cannot be made or written.
    """
    text = json.dumps(data, ensure_ascii=False, indent=2, sort_keys=False, default=str) + "\n"
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", errors="backslashreplace")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RunError(f"{path} cannot be written: got {error.strerror or error}; make its folder writable") from None
