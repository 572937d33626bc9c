"""Every report, whole, in every form."""

from ...support.whole import as_before
from .reports import reports

test_an_output_is_as_before = as_before(__file__, reports())
