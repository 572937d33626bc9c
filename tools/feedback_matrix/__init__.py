"""Texts of real validators about faults that we made, to measure how well `carried` reads what it never saw."""
