"""`planguard show`: the conversations of a cassette, printed for a person."""
