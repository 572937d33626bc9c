"""Parts for pipelines that call models: a monitor of streams, gates for people, a choice of models."""
