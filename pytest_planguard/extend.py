"""The public names for extending planguard: registration functions, and the types of their arguments.

In a test suite, the hook `pytest_planguard_register` receives a `SessionRegistry`. Registrations in it last for one
session. Outside pytest, the `register_*` functions register for the whole process. Each name is loaded when you first
use it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contract.constraints.constraint_types import ConstraintType as ConstraintType
    from .contract.constraints.constraint_types import Param as Param
    from .contract.constraints.constraint_types import flag as flag
    from .contract.constraints.constraint_types import number as number
    from .contract.constraints.constraint_types import one_word_of as one_word_of
    from .contract.constraints.constraint_types import pattern as pattern
    from .contract.constraints.constraint_types import register_constraint as register_constraint
    from .contract.constraints.constraint_types import some as some
    from .contract.constraints.constraint_types import some_of as some_of
    from .contract.constraints.constraint_types import some_texts as some_texts
    from .contract.constraints.constraint_types import whole_number as whole_number
    from .contract.constraints.scene import Scene as Scene
    from .contract.constraints.scene import Violation as Violation
    from .contract.constraints.scene import each as each
    from .contract.constraints.scene import each_text as each_text
    from .contract.constraints.scene import wrong as wrong
    from .contract.feedback.style import Correction as Correction
    from .contract.feedback.style import Style as Style
    from .contract.feedback.style import Worded as Worded
    from .contract.feedback.styles import register_style as register_style
    from .plans.declared.described import read_plan_format as read_plan_format
    from .plans.model.index import PlanIndex as PlanIndex
    from .plans.model.place import Place as Place
    from .plans.model.plan import Count as Count
    from .plans.model.plan import Defect as Defect
    from .plans.model.plan import Edge as Edge
    from .plans.model.plan import Link as Link
    from .plans.model.plan import Pair as Pair
    from .plans.model.plan import Plan as Plan
    from .plans.model.plan import Prose as Prose
    from .plans.model.plan import Ref as Ref
    from .plans.model.plan import Requirement as Requirement
    from .plans.model.plan import Section as Section
    from .plans.model.plan import Status as Status
    from .plans.model.plan import Task as Task
    from .plans.model.plan import Traits as Traits
    from .plans.profiles.formats import register_plan_format as register_plan_format
    from .plans.reading.outline import Source as Source
    from .plans.reading.profile import Profile as Profile
    from .plans.reading.profile import shape as shape
    from .plans.reading.profile import signs as signs
    from .plans.reading.task_drafts import Collector as Collector
    from .plans.rules.catalogue import register_plan_rule as register_plan_rule
    from .plans.rules.rule import Hit as Hit
    from .plans.rules.rule import Rule as Rule
    from .plugin.registry import SessionRegistry as SessionRegistry
    from .replay.matching.normalise import register_normaliser as register_normaliser
    from .retry.reading.entry import ErrorEntry as ErrorEntry
    from .retry.reading.entry import parse_place as parse_place
    from .retry.reading.recognise import register_wording as register_wording
    from .wire.dialect import AnswerView as AnswerView
    from .wire.dialect import Dialect as Dialect
    from .wire.dialect import RequestView as RequestView
    from .wire.dialects.dialect_table import register_dialect as register_dialect
    from .wire.exchange import Exchange as Exchange
    from .wire.exchange import Finish as Finish
    from .wire.exchange import Item as Item
    from .wire.exchange import ItemKind as ItemKind
    from .wire.exchange import Role as Role
    from .wire.exchange import Usage as Usage
    from .wire.logs.logged import Fidelity as Fidelity
    from .wire.logs.logged import Logged as Logged
    from .wire.logs.readers import register_log_reader as register_log_reader

    __all__: list[str]

    def __dir__() -> list[str]: ...
else:
    from . import _lazy_names

    _TOPICS = {
        "In a conftest": {
            "SessionRegistry": "plugin.registry",
        },
        "Constraint types": {
            "register_constraint": "contract.constraints.constraint_types",
            "ConstraintType": "contract.constraints.constraint_types",
            "each": "contract.constraints.scene",
            "each_text": "contract.constraints.scene",
            "wrong": "contract.constraints.scene",
            "Violation": "contract.constraints.scene",
            "Scene": "contract.constraints.scene",
            "Param": "contract.constraints.constraint_types",
            "flag": "contract.constraints.constraint_types",
            "number": "contract.constraints.constraint_types",
            "one_word_of": "contract.constraints.constraint_types",
            "pattern": "contract.constraints.constraint_types",
            "some": "contract.constraints.constraint_types",
            "some_of": "contract.constraints.constraint_types",
            "some_texts": "contract.constraints.constraint_types",
            "whole_number": "contract.constraints.constraint_types",
        },
        "Normalisers": {
            "register_normaliser": "replay.matching.normalise",
        },
        "Dialects": {
            "register_dialect": "wire.dialects.dialect_table",
            "Dialect": "wire.dialect",
            "RequestView": "wire.dialect",
            "AnswerView": "wire.dialect",
            "Item": "wire.exchange",
            "ItemKind": "wire.exchange",
            "Role": "wire.exchange",
            "Finish": "wire.exchange",
            "Usage": "wire.exchange",
            "Exchange": "wire.exchange",
        },
        "Log formats": {
            "register_log_reader": "wire.logs.readers",
            "Logged": "wire.logs.logged",
            "Fidelity": "wire.logs.logged",
        },
        "Wordings": {
            "register_wording": "retry.reading.recognise",
            "ErrorEntry": "retry.reading.entry",
            "parse_place": "retry.reading.entry",
        },
        "Feedback styles": {
            "register_style": "contract.feedback.styles",
            "Style": "contract.feedback.style",
            "Correction": "contract.feedback.style",
            "Worded": "contract.feedback.style",
        },
        "Plan formats": {
            "register_plan_format": "plans.profiles.formats",
            "read_plan_format": "plans.declared.described",
            "Profile": "plans.reading.profile",
            "shape": "plans.reading.profile",
            "signs": "plans.reading.profile",
            "Source": "plans.reading.outline",
            "Collector": "plans.reading.task_drafts",
            "Plan": "plans.model.plan",
            "Traits": "plans.model.plan",
            "Task": "plans.model.plan",
            "Section": "plans.model.plan",
            "Requirement": "plans.model.plan",
            "Ref": "plans.model.plan",
            "Edge": "plans.model.plan",
            "Link": "plans.model.plan",
            "Count": "plans.model.plan",
            "Pair": "plans.model.plan",
            "Prose": "plans.model.plan",
            "Defect": "plans.model.plan",
            "Place": "plans.model.place",
            "Status": "plans.model.plan",
        },
        "Plan rules": {
            "register_plan_rule": "plans.rules.catalogue",
            "Rule": "plans.rules.rule",
            "Hit": "plans.rules.rule",
            "PlanIndex": "plans.model.index",
        },
    }

    __all__, __getattr__, __dir__ = _lazy_names(__name__, _TOPICS)
