"""The cassette of a running test: opened, limited, refused, recorded again, cleaned up."""
