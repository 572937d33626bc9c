"""Values of the process' own environment that must not be recorded: those of variables named for a secret."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import PurePath

from .secret_names import Speaks, name_speaks

MIN_VALUE = 16
"""Characters of a value that is looked for; a shorter one may be a word: `none-needed`, `false`."""
_LETTER, _DIGIT = re.compile("[A-Za-z]"), re.compile("[0-9]")


def environment_secrets(environment: Mapping[str, str] | None = None) -> re.Pattern[str] | None:
    """Return a pattern of the secret values of an environment, at word boundaries; None where there are none.

    A value counts where the variable's name speaks of a secret, and it has 16 characters or more with letters and
    digits and is no path, no address and no sentence. By default the environment is that of the process as it is now.
    """
    variables = os.environ if environment is None else environment
    values = {value for name, value in variables.items() if _is_secret(name, value)}
    if not values:
        return None
    forms = sorted({form for value in values for form in _forms(value)}, key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(map(re.escape, forms))})(?![A-Za-z0-9_])")


def _is_secret(name: str, value: str) -> bool:
    speaks = name_speaks(name) is not Speaks.NOTHING
    return speaks and len(value) >= MIN_VALUE and bool(_LETTER.search(value) and _DIGIT.search(value)) and _plain(value)


def _plain(value: str) -> bool:
    r"""Return whether a value is no path (`/run/secrets/key1`, `C:\keys`), no address and no sentence."""
    path = value.startswith(("/", "~", "./", "../", "file:")) or PurePath(value).suffix in (".json", ".pem", ".key")
    return not (path or "://" in value or value[1:3] == ":\\" or any(char.isspace() for char in value))


def _forms(value: str) -> set[str]:
    """Return the value as it is, and as JSON and a URL write it."""
    import json
    from urllib.parse import quote, quote_plus

    return {value, json.dumps(value)[1:-1], quote(value, safe=""), quote_plus(value)}
