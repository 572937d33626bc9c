"""Figures of `planguard strength` and `planguard init --from` on recorded answers."""
