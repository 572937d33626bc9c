"""The page of each topic: a run, a session, a comparison, tasks, a matrix, a measurement, a search."""
