"""Runs of pytest that start warm: forked from a process that has imported pytest, pydantic, vcrpy, the SDKs and us.

Importing them takes most of a short run's time. Each run is still a process of its own. What a run imports, and when,
is tested with cold runs (`Example`).
"""

from .command import planguard_on_path
from .example import WarmExample, inner_environment, run_module, run_warm

__all__ = ["WarmExample", "inner_environment", "planguard_on_path", "run_module", "run_warm"]
