"""The codemod that moved the modules into rooms, and the map that it went by."""
