"""The facts about one source tree, gathered by a process that imports only that tree."""
