"""Load one module with the mutant that the environment names. `start/sitecustomize.py` imports this module first."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from .inner_runs import MUTANT
from .sites import mutants_of, mutated

ROOT = Path(__file__).parent.parent.parent


class _Changed(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the interface
        return CODE


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != MODULE:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            _change(spec)
        return spec


def _change(spec: ModuleSpec) -> None:
    if spec.origin is not None:
        spec.loader = _Changed(spec.name, spec.origin)


PATH, _, NUMBER = os.environ[MUTANT].partition("#")
MODULE = PATH.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
CODE = mutated(ROOT, mutants_of(ROOT, PATH)[int(NUMBER)])[0]
sys.meta_path.insert(0, _Finder())
if (loaded := sys.modules.get(MODULE)) is not None and loaded.__spec__ is not None:
    _change(loaded.__spec__)  # `runpy.run_module` loads the module again, as `__main__`, and does not ask the finder
