"""Facts about a source tree (such as a pull request's base), collected by a process that imports only that tree."""
