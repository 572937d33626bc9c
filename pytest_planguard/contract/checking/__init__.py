"""The check of one answer: quickly where it is good, in full where it is not."""
