"""What of an answer is sound while its schema fails, and views that stop a check at what is not."""
