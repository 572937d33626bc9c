"""Whether the next request carries a finding: by its place, its words or its rule."""
