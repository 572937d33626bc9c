"""A YAML text as the parser's events: PyYAML's parser, with libyaml where it is present, and our faults."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .yaml_faults import syntax_fault
from .yaml_nodes import YamlFailure, YamlFault

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def yaml_events(text: str) -> Iterator[Any]:
    """The parser's events, in order.

    Raises:
        YamlFailure: the text is no YAML.
    """
    import yaml

    odd = _UNPRINTABLE.search(text)
    if odd:
        message = f"character U+{ord(odd.group()):04X} is not allowed in YAML"
        raise YamlFailure(YamlFault("invalid_yaml", message, odd.start(), odd.end()))
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, loader)
    except yaml.YAMLError as error:
        raise YamlFailure(syntax_fault(text, error)) from None
