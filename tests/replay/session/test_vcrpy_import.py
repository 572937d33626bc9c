"""A package whose import fails leaves no submodule behind."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

from pytest_planguard.replay.session.vcrpy_import import _whole_packages

PACKAGE = {
    "outer_one/__init__.py": "from . import fine, broken\n",
    "outer_one/fine.py": "import outer_two.fine\n",
    "outer_one/broken.py": "raise RuntimeError('half-way')\n",
    "outer_two/__init__.py": "",
    "outer_two/fine.py": "",
}


def test_only_whole_packages_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was imported whole on the way stays, as after any failed import."""
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    with pytest.raises(RuntimeError, match="half-way"), _whole_packages():
        import_module("outer_one")
    left = set(sys.modules) - before
    assert left == {"outer_two", "outer_two.fine"}
    for name in left:
        monkeypatch.delitem(sys.modules, name)
