"""Named policies: orders of the agenda, wrappers around it, and control arms."""
