"""The site: the pages of docs/, and the reference that is generated from the code. `make docs` builds it."""
