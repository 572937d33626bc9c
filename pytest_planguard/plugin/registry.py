"""What a conftest or another plugin may add: one object that feeds the tables of all layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..contract.constraints.constraint_types import ConstraintType
    from ..contract.feedback.style import Style
    from ..plans.profiles.profile import Profile
    from ..plans.rules.rule import Rule
    from ..replay.matching.normalise import Normaliser
    from ..retry.reading.recognise import Recogniser
    from ..wire.dialect import Dialect

REGISTRY: pytest.StashKey[Registry] = pytest.StashKey()


class Registry:
    """Given to `pytest_planguard_register`. Each method raises UsageError for a name that is in use."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.normalisers: list[Normaliser] = []
        """Added normalisers, applied after the built-in ones."""
        self.plan_formats: list[Profile] = []
        """Added plan formats, for plan files that are tests."""
        self.plan_rules: list[Rule] = []
        """Added plan rules, for the same."""

    def constraint(self, kind: ConstraintType) -> None:
        """Add a type of content constraint."""
        from ..contract.constraints.constraint_types import register_constraint

        register_constraint(kind)

    def dialect(self, dialect: Dialect) -> None:
        """Add how one provider's bodies become exchanges; it is taken out again when the run ends."""
        from ..wire.dialects.dialect_table import register, unregister

        register(dialect)
        self._config.add_cleanup(lambda: unregister(dialect.name))

    def wording(self, name: str, read: Recogniser, *, framework: bool = False) -> None:
        """Add how feedback is recognised in a later request."""
        from ..retry.reading.recognise import register_wording

        register_wording(name, read, framework=framework)

    def style(self, style: Style) -> None:
        """Add a feedback style, for `converge(style=...)` and `validation_feedback`; taken out when the run ends."""
        from ..contract.feedback.styles import STYLES, register_style, unregister_style

        if style.name in STYLES:
            from ..errors import UsageError

            raise UsageError(f"a feedback style {style.name!r} exists already; choose another name")
        register_style(style)
        self._config.add_cleanup(lambda: unregister_style(style.name))

    def plan_format(self, profile: Profile) -> None:
        """Add a plan format, for the files of `planguard_plan_files`."""
        from ..errors import UsageError
        from ..plans.profiles.profile_table import PROFILES

        if any(known.name == profile.name for known in (*PROFILES, *self.plan_formats)):
            raise UsageError(f"a plan format named {profile.name!r} is known already; give the new one another name")
        self.plan_formats.append(profile)

    def plan_rule(self, rule: Rule) -> None:
        """Add a plan rule, for the files of `planguard_plan_files`."""
        from ..errors import UsageError
        from ..plans.rules.rule_table import RULES

        if any(known.code == rule.code for known in (*RULES, *self.plan_rules)):
            raise UsageError(f"a plan rule with the code {rule.code!r} is known already; give the new one another code")
        self.plan_rules.append(rule)

    def normaliser(self, name: str, apply: Callable[[str], str]) -> None:
        """Add a rewriting of volatile text, applied before requests are compared; `apply` must be idempotent."""
        from ..errors import UsageError
        from ..replay.matching.normalise import NORMALISERS, Normaliser

        if any(n.name == name for n in (*NORMALISERS, *self.normalisers)):
            raise UsageError(f"a normaliser named {name!r} is registered already; give the new one another name")
        self.normalisers.append(Normaliser(name, apply))


def registry_of(config: pytest.Config) -> Registry:
    """The registry of this run."""
    return config.stash.setdefault(REGISTRY, Registry(config))
