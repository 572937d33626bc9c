"""What a retry tells the model: findings in words, styles of wording, and the messages of the next request."""
