"""Every report, whole, in every form."""

import pytest

from ...support.whole import as_before
from .reports import reports

pytestmark = pytest.mark.slow
test_an_output_is_as_before = as_before(__file__, reports())
