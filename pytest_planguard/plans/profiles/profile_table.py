"""Every built-in profile."""

from __future__ import annotations

from . import agents, atomicguard, autospec, bmad, kiro, openspec, planexe, spec_kit, superpowers, task_master

PROFILES = (
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
