"""Plan formats and rules that extensions add for the whole process, beside the built-in ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UsageError
from .profiles.profile_table import PROFILES
from .rules.rule_table import RULES

if TYPE_CHECKING:
    from .profiles.profile import Profile
    from .rules.rule import Rule

_formats: list[Profile] = []
_rules: list[Rule] = []


def register_format(profile: Profile) -> None:
    """Add a plan format to those that are told by content. Raises UsageError for a name in use."""
    if any(known.name == profile.name for known in formats()):
        raise UsageError(f"a plan format named {profile.name!r} is known already; give the new one another name")
    _formats.append(profile)


def register_rule(rule: Rule) -> None:
    """Add a plan rule to those that every plan is asked. Raises UsageError for a code in use."""
    if any(known.code == rule.code for known in rules()):
        raise UsageError(f"a plan rule with the code {rule.code!r} is known already; give the new one another code")
    _rules.append(rule)


def unregister(name: str) -> None:
    """Take a registered format or rule out again; built-in ones stay. A name that is not registered is no error."""
    _formats[:] = [profile for profile in _formats if profile.name != name]
    _rules[:] = [rule for rule in _rules if rule.code != name]


def formats() -> tuple[Profile, ...]:
    """Return all formats, the built-in ones first."""
    return (*PROFILES, *_formats)


def rules() -> tuple[Rule, ...]:
    """Return all rules, the built-in ones first."""
    return (*RULES, *_rules)
