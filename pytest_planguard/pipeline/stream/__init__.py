"""Watch an answer while it is streamed, and end the stream once it cannot become a good answer."""
