"""What extensions add to planguard's tables, for one pytest session or for the whole process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...contract.constraints.constraint_types import ConstraintType
    from ...contract.feedback.style import Style
    from ...plans.reading.profile import Profile
    from ...plans.rules.rule import Rule
    from ...registry import Registry, T
    from ...retry.reading.recognise import Recogniser
    from ...wire.dialect import Dialect
    from ...wire.logs.logged import Reading


class Session(Protocol):
    """The part of `pytest.Config` that ends a registration."""

    def add_cleanup(self, func: Callable[[], None]) -> None:
        """Call a function when the session ends."""


class Registrations:
    """Adds constraint types, dialects, wordings and more. Each method raises UsageError if the name is in use.

    The hook `pytest_planguard_register` gets one, whose registrations last until the session ends. Anywhere else,
    `Registrations()` registers for the whole process. Either applies to every planguard lookup in the process.
    """

    def __init__(self, session: Session | None = None) -> None:
        self._session = session

    def constraint(self, kind: ConstraintType) -> None:
        """Add a type of content constraint."""
        from ...contract.constraints.constraint_types import CONSTRAINT_TYPES

        self._add(CONSTRAINT_TYPES, kind.name, kind)

    def dialect(self, dialect: Dialect) -> None:
        """Add a dialect, which turns a provider's bodies into exchanges.

        It is tried before the built-in ones, the latest first.
        """
        from ...wire.dialects.dialect_table import DIALECTS

        self._add(DIALECTS, dialect.name, dialect)

    def wording(self, name: str, read: Recogniser, *, framework: bool = False) -> None:
        """Add a recogniser of feedback in a later request. `known_wordings=False` turns those of frameworks off."""
        from ...retry.reading.recognise import WORDINGS, Wording

        self._add(WORDINGS, name, Wording(name, read, framework))

    def style(self, style: Style) -> None:
        """Add a feedback style, for `converge(style=...)` and `validation_feedback`."""
        from ...contract.feedback.feedback import STYLES

        self._add(STYLES, style.name, style)

    def plan_format(self, profile: Profile) -> None:
        """Add a plan format, for collected plan files and `plan_rules`."""
        from ...plans.profiles.formats import PROFILES

        self._add(PROFILES, profile.name, profile)

    def plan_rule(self, rule: Rule) -> None:
        """Add a plan rule, for collected plan files and `plan_rules`."""
        from ...plans.rules.judge_plan import RULES

        self._add(RULES, rule.code, rule)

    def normaliser(self, name: str, apply: Callable[[str], str]) -> None:
        """Add a function that rewrites volatile text before requests are compared.

        Args:
            name: a unique name, which reports show if the normaliser changed something.
            apply: takes a whole request as compact JSON, and returns the rewritten text. Must be idempotent.
        """
        from ...replay.matching.normalise import NORMALISERS, Normaliser

        self._add(NORMALISERS, name, Normaliser(name, apply))

    def log_reader(self, name: str, sniff: Callable[[Any], bool], read: Reading) -> None:
        """Add a log format. It is tried before the built-in ones, the latest first.

        Args:
            name: name of the format.
            sniff: returns True if a record, the value of one JSON line or document, is of this format.
            read: yields a `Logged` for each call of the record, or for each part of one.
        """
        from ...wire.logs.logged import LogReader
        from ...wire.logs.readers import LOG_READERS

        self._add(LOG_READERS, name, LogReader(name, sniff, read))

    def _add(self, registry: Registry[T], name: str, value: T) -> None:
        remove = registry.register(name, value, session=self._session)
        if self._session is not None:
            self._session.add_cleanup(remove)
