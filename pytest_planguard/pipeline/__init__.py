"""Parts for pipelines that call models: stream monitors, gates for people, model selection."""
