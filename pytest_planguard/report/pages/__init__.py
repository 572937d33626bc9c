"""One page per topic: a run, a session, a comparison, tasks, a matrix, a measurement, a search."""
