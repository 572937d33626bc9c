"""Ten examples for each property test of a page's project, in the place of a hundred: the pages are run often.

Nothing is kept from run to run, so that each shows what it finds itself. Which parts of an example may vary (`explain`)
is not looked for: pages do not show it.
"""

from hypothesis import Phase, settings

PHASES = [phase for phase in Phase if phase is not Phase.explain]
settings.register_profile("pages", max_examples=10, database=None, phases=PHASES)
settings.load_profile("pages")
