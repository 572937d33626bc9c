"""The search loop: unfinished answer prefixes, and the order in which they are continued."""
