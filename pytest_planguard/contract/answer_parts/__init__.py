"""Which part of an answer is judged, and which tool calls must be made before it counts."""
