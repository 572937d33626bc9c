"""What good answers lead to, whole."""

from ...support.whole import as_before
from .strength import outputs

test_an_output_is_as_before = as_before(__file__, outputs())
