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
        if spec is not None and spec.origin is not None:
            spec.loader = _Changed(fullname, spec.origin)
        return spec


PATH, _, NUMBER = os.environ[MUTANT].partition("#")
MODULE = PATH.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
CODE = mutated(ROOT, mutants_of(ROOT, PATH)[int(NUMBER)])[0]
sys.meta_path.insert(0, _Finder())
