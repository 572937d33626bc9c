"""Read the file that describes a plan format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import UsageError
from .described import described_format

if TYPE_CHECKING:
    from ..profiles.profile import Profile


def read_plan_format(path: str | Path) -> Profile:
    """Return the plan format that a YAML file describes, for `plan_rules`, `register_plan_format` and conftests.

    Args:
        path: the file, for example "planguard-plan.yaml"; a JSON Schema that it names stands beside it.

    Raises:
        UsageError: the file cannot be read, or something in it is wrong; every problem with its line.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{path}: the plan format cannot be read ({reason}); name a YAML file") from None
    return described_format(text, str(path), lambda name: (file.parent / name).read_text(encoding="utf-8-sig"))
