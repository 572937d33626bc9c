"""Gates at which a pipeline waits for a person: conditions, files in the folder of a run, a webhook."""
