"""Apps of many shapes, recorded against a loopback endpoint: `python -m tools.shapes.record`."""
