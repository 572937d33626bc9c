"""What tests name beside contracts: the type of the fixture, and small projects that a real pytest runs.

All of it is public.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..plugin.fixtures.api import Planguard as Planguard
    from .example import Example as Example
    from .example import Run as Run

    __all__: list[str]

    def __dir__() -> list[str]: ...
else:
    from .. import _lazy_names

    _TOPICS = {
        "The type of the fixture `planguard`": {
            "Planguard": "plugin.fixtures.api",
        },
        "Projects for the tests of a plugin": {
            "Example": "testing.example",
            "Run": "testing.example",
        },
    }

    __all__, __getattr__, __dir__ = _lazy_names(__name__, _TOPICS)
