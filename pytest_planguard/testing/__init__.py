"""Tools for tests: generated answers, scripted models, the fixture's type, and small projects to run pytest on.

The stub beside this module lists its public names.
"""

from .. import _lazy_names

__getattr__, __dir__ = _lazy_names(__name__, __name__, "testing/__init__.pyi")
