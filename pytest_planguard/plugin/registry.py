"""Registrations by conftests and other plugins, which last for one pytest session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from ..contract.constraints.constraint_types import ConstraintType
    from ..contract.feedback.style import Style
    from ..plans.reading.profile import Profile
    from ..plans.rules.rule import Rule
    from ..registry import Registry, T
    from ..retry.reading.recognise import Recogniser
    from ..wire.dialect import Dialect


class SessionRegistry:
    """The argument of the hook `pytest_planguard_register`. Each method raises UsageError if the name is in use.

    A registration applies to every planguard lookup in this process until the session ends.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def constraint(self, kind: ConstraintType) -> None:
        """Add a type of content constraint."""
        from ..contract.constraints.constraint_types import CONSTRAINT_TYPES

        self._add(CONSTRAINT_TYPES, kind.name, kind)

    def dialect(self, dialect: Dialect) -> None:
        """Add a dialect, which turns a provider's bodies into exchanges. It is tried before the built-in dialects."""
        from ..wire.dialects.dialect_table import DIALECTS

        self._add(DIALECTS, dialect.name, dialect)

    def wording(self, name: str, read: Recogniser, *, framework: bool = False) -> None:
        """Add a recogniser of feedback in a later request. `known_wordings=False` turns those of frameworks off."""
        from ..retry.reading.recognise import WORDINGS, Wording

        self._add(WORDINGS, name, Wording(name, read, framework))

    def style(self, style: Style) -> None:
        """Add a feedback style, for `converge(style=...)` and `validation_feedback`."""
        from ..contract.feedback.styles import STYLES

        self._add(STYLES, style.name, style)

    def plan_format(self, profile: Profile) -> None:
        """Add a plan format, for collected plan files and `plan_rules`."""
        from ..plans.profiles.formats import PROFILES

        self._add(PROFILES, profile.name, profile)

    def plan_rule(self, rule: Rule) -> None:
        """Add a plan rule, for collected plan files and `plan_rules`."""
        from ..plans.rules.catalogue import RULES

        self._add(RULES, rule.code, rule)

    def normaliser(self, name: str, apply: Callable[[str], str]) -> None:
        """Add a function that rewrites volatile text before requests are compared. `apply` must be idempotent."""
        from ..replay.matching.normalise import NORMALISERS, Normaliser

        self._add(NORMALISERS, name, Normaliser(name, apply))

    def _add(self, registry: Registry[T], name: str, value: T) -> None:
        self._config.add_cleanup(registry.register(name, value, session=self._config))
