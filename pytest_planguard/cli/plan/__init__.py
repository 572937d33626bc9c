"""Plan files on the command line: judged, fixed, explained, and judged for a coding agent."""
