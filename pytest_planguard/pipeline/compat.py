"""Settings from the environment, also under the names that PlanExe's pipeline-intelligence proposal gives them."""

from __future__ import annotations

from collections.abc import Mapping

_YES = frozenset({"true", "1", "yes", "on"})


def setting(environ: Mapping[str, str], name: str) -> str:
    """Return the value of `PLANGUARD_<name>`, else that of `PLANEXE_<name>`, else ""."""
    return environ.get(f"PLANGUARD_{name}") or environ.get(f"PLANEXE_{name}") or ""


def switched_on(environ: Mapping[str, str], name: str) -> bool:
    """Return whether a setting is `true`, `1`, `yes` or `on`, in any case."""
    return setting(environ, name).strip().lower() in _YES
