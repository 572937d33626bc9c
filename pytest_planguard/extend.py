"""The public names for extending planguard: registration functions, and the types of their arguments.

In a test suite, the hook `pytest_planguard_register` receives a `SessionRegistry`. Registrations in it last for one
session. Outside pytest, the `register_*` functions register for the whole process. Each name is loaded when you first
use it.
"""

from . import _lazy_names

__getattr__, __dir__ = _lazy_names(__name__, "pytest_planguard", "extend.pyi")
