"""Reports of every kind, whole, as they are printed and written."""
