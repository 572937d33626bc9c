"""The end of a marked test: its conversations are judged, and everything that is wrong has a name."""
