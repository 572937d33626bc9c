"""Grade findings after the feedback has been read: by answer, and by comparison with other retries."""
