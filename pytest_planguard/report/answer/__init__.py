"""Render one answer or conversation as text: findings, code frames, the feedback of each retry."""
