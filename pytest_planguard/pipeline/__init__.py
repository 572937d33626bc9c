"""Building blocks for pipelines that call models: stream monitors, gates that wait for a person, model selection."""
