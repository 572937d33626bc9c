"""One module per dialect. Each turns a provider's request and response bodies into exchanges."""
