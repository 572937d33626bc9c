"""Logs of production traffic in `planguard check`: its options, figures and judge."""
