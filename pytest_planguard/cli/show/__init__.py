"""`planguard show`: the conversations of a recording, printed for a person."""
