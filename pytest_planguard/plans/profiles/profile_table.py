"""The plan formats, in the order in which they are tried."""

from __future__ import annotations

from dataclasses import replace

from ...registry.table import Registry
from . import agents, atomicguard, autospec, bmad, kiro, planexe, superpowers, task_master
from .openspec import formats as openspec
from .profile import Profile
from .spec_kit import documents as spec_kit

_BUILT_IN: tuple[Profile, ...] = (
    *spec_kit.PROFILES,
    *superpowers.PROFILES,
    *task_master.PROFILES,
    *openspec.PROFILES,
    *kiro.PROFILES,
    *bmad.PROFILES,
    *autospec.PROFILES,
    *planexe.PROFILES,
    *atomicguard.PROFILES,
    *agents.PROFILES,
)
PROFILES = Registry("plan format", {profile.name: replace(profile, looks_alike=True) for profile in _BUILT_IN})


def register_plan_format(profile: Profile) -> None:
    """Add a plan format for the whole process: it is told by content beside the built-in ones.

    Raises:
        UsageError: another format of that name exists.
    """
    PROFILES.register(profile.name, profile)
