"""Grade findings: by the new words, by what the app can detect, and by words that are always the same."""
