"""What comparisons of runs come to, whole."""

import pytest

from ...support.whole import as_before
from .comparisons import outputs

pytestmark = pytest.mark.slow
test_an_output_is_as_before = as_before(__file__, outputs())
