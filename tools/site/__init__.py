"""The site: the pages of docs/, and the reference generated from the code. `make docs` builds it."""
