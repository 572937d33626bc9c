"""One answer or conversation as text: findings, code frames, what each retry fed back."""
