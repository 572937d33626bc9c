"""The drawn validators and catalogues: what each says about the documents' faults."""
