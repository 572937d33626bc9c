"""Watch an answer while it is streamed, and close the stream as soon as the answer cannot become valid."""
