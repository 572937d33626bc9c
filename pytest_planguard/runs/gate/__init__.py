"""Whether a comparison or a run passes: broken rules, known failures, what a person has to decide."""
