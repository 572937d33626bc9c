"""Tools for tests: generated answers, scripted models, the fixture's type, and small projects to run pytest on.

Every name in `__all__` is public.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..plugin.fixtures.api import Planguard as Planguard
    from .answers.answer_text import AnswerText as AnswerText
    from .answers.near_miss import NearMiss as NearMiss
    from .answers.strategies import near_misses as near_misses
    from .answers.strategies import texts as texts
    from .answers.strategies import valid_answers as valid_answers
    from .example import Example as Example
    from .example import Run as Run
    from .loops.conversation import AnswerFault as AnswerFault
    from .loops.conversation import ScriptedConversation as ScriptedConversation
    from .loops.machine import RetryLoopMachine as RetryLoopMachine
    from .loops.scripted_model import ScriptedModel as ScriptedModel
    from .loops.strategy import conversations as conversations

    __all__: list[str]

    def __dir__() -> list[str]: ...
else:
    from .. import _lazy_names

    _TOPICS = {
        "Answers made up from a contract": {
            "valid_answers": "testing.answers.strategies",
            "near_misses": "testing.answers.strategies",
            "NearMiss": "testing.answers.near_miss",
            "texts": "testing.answers.strategies",
            "AnswerText": "testing.answers.answer_text",
        },
        "Scripted models, and the proof of a retry loop": {
            "conversations": "testing.loops.strategy",
            "ScriptedConversation": "testing.loops.conversation",
            "AnswerFault": "testing.loops.conversation",
            "ScriptedModel": "testing.loops.scripted_model",
            "RetryLoopMachine": "testing.loops.machine",
        },
        "The type of the fixture `planguard`": {
            "Planguard": "plugin.fixtures.api",
        },
        "Projects for the tests of a plugin": {
            "Example": "testing.example",
            "Run": "testing.example",
        },
    }

    __all__, __getattr__, __dir__ = _lazy_names(__name__, _TOPICS)
