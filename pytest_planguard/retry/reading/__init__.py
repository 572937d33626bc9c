"""Read the feedback in a request as errors: a place, a code, a message."""
