"""The review of plan findings on public documents: which documents, how hits are drawn, and how they were judged."""
