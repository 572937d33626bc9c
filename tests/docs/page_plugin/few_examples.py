"""Thirty examples for each property test of a page's project, in the place of a hundred: the pages are run often.

Nothing is kept from run to run, so that each shows what it finds itself.
"""

from hypothesis import settings

settings.register_profile("pages", max_examples=30, database=None)
settings.load_profile("pages")
