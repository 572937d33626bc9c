"""What a message calls the fixture that asked: the project's own code, and no neighbour's."""

from typing import Any

import pytest

from pytest_planguard.plugin.late_fixtures import _asking


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("/srv/app/conftest.py", "server, conftest.py:1"),
        ("/srv/app_lib/conftest.py", None),
        ("/srv/app/.venv/lib/site-packages/x.py", None),
    ],
)
def test_only_files_below_the_root_folder_are_named(file: str, told: str | None) -> None:
    """A folder whose name begins alike is another project, and what is installed is not the user's own."""
    names: dict[str, Any] = {"__name__": "conftest"}
    exec(compile("def server(asking): return asking('/srv/app/')", file, "exec"), names)
    assert names["server"](_asking) == told
