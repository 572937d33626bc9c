"""Tools for tests: generated answers, scripted models, the fixture's type, and small projects to run pytest on.

The imports for type checkers list its public names.
"""

# ruff: noqa: I001  # ordered as in the reference

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Answers made up from a contract
    from .answers.strategies import valid_answers as valid_answers
    from .answers.strategies import near_misses as near_misses
    from .answers.strategies import texts as texts

    # Scripted models, and the proof of a retry loop
    from .loops.strategy import conversations as conversations
    from .loops.conversation import ScriptedConversation as ScriptedConversation
    from .loops.conversation import AnswerFault as AnswerFault
    from .loops.scripted_model import ScriptedModel as ScriptedModel
    from .loops.machine import RetryLoopMachine as RetryLoopMachine

    # The type of the fixture `planguard`
    from ..plugin.fixtures.api import Planguard as Planguard

    # Projects for the tests of a plugin
    from .example import Example as Example

    __all__: list[str]

    def __dir__() -> list[str]: ...
else:
    from .. import _lazy_names

    __getattr__, __dir__ = _lazy_names(__name__, "testing/__init__.py")
