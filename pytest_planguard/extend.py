"""The public names for extending planguard: `Registrations`, and the types of what it registers.

In a test suite, the hook `pytest_planguard_register` receives a `Registrations` for one session. Outside pytest,
`Registrations()` registers for the whole process. Each name is loaded when you first use it.
"""

# ruff: noqa: I001  # ordered as in the reference

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Registrations
    from .runs.load.registrations import Registrations as Registrations

    # Constraint types
    from .contract.constraints.scene import each as each
    from .contract.constraints.scene import wrong as wrong
    from .contract.constraints.scene import Violation as Violation
    from .contract.constraints.constraint_types import Param as Param

    # Dialects
    from .wire.dialect import RequestView as RequestView
    from .wire.dialect import AnswerView as AnswerView
    from .wire.exchange import Item as Item
    from .wire.exchange import ItemKind as ItemKind
    from .wire.exchange import Role as Role
    from .wire.exchange import Finish as Finish
    from .wire.exchange import Usage as Usage

    # Log formats
    from .wire.logs.logged import Logged as Logged
    from .wire.logs.logged import Fidelity as Fidelity

    # Wordings
    from .retry.reading.entry import ErrorEntry as ErrorEntry

    # Feedback styles
    from .contract.feedback.style import Correction as Correction

    # Plan formats
    from .plans.reading.profile import Profile as Profile
    from .plans.reading.profile import signs as signs
    from .plans.reading.outline import Source as Source
    from .plans.reading.task_drafts import Collector as Collector
    from .plans.plan import Plan as Plan
    from .plans.plan import Traits as Traits
    from .plans.plan import Task as Task
    from .plans.status import Status as Status

    # Plan rules
    from .plans.rules.rule import Rule as Rule
    from .plans.rules.rule import Hit as Hit
    from .plans.index import PlanIndex as PlanIndex

    __all__: list[str]

    def __dir__() -> list[str]: ...
else:
    from . import _lazy_names

    __getattr__, __dir__ = _lazy_names(__name__, "extend.py")
