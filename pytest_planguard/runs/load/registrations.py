"""What extensions add to planguard's tables, for one pytest session or for the whole process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from ...contract.constraints.constraint_types import Flaw, Param
    from ...contract.constraints.scene import ConstraintCheck
    from ...contract.feedback.style import Correction
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

    def constraint(
        self,
        name: str,
        check: ConstraintCheck,
        params: Mapping[str, Param] | None = None,
        *,
        needs_value: bool = True,
        literals: Sequence[str] = (),
        flaw: Flaw | None = None,
    ) -> None:
        """Add a type of content constraint.

        Args:
            name: a unique name, for `ContentConstraint(field, name, …)`.
            check: yields a violation for each wrong value; `each` makes it from a check of one value.
            params: the parameters, by name.
            needs_value: True if a missing field breaks the constraint; False if the constraint ignores it.
            literals: names of parameters whose text must occur in the answer. English words in them require answers
                in English.
            flaw: returns what is wrong with a complete set of parameters; None if nothing is.
        """
        from ...contract.constraints.constraint_types import CONSTRAINT_TYPES, ConstraintType

        kind = ConstraintType(name, check, params or {}, needs_value, tuple(literals), flaw)
        self._add(CONSTRAINT_TYPES, name, kind)

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

    def style(self, name: str, word: Callable[[Correction], tuple[str, int]], *, opening: str = "") -> None:
        """Add a feedback style, for `converge(style=...)` and `validation_feedback`.

        Args:
            name: a unique name.
            word: returns the text, and how many of the findings it names.
            opening: a pattern for the start of the text, to find and replace an earlier block in a prompt; "" for none.
        """
        from ...contract.feedback.feedback import STYLES
        from ...contract.feedback.style import Style, Worded

        self._add(STYLES, name, Style(name, lambda correction: Worded(*word(correction)), opening))

    def plan_format(self, profile: Profile | str | os.PathLike[str]) -> None:
        """Add a plan format, or the one that a YAML file describes, for collected plan files and `plan_rules`."""
        from ...plans.declared.described import read_plan_format
        from ...plans.profiles.formats import PROFILES
        from ...plans.reading.profile import Profile

        profile = profile if isinstance(profile, Profile) else read_plan_format(profile)
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
