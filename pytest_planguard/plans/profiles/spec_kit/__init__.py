"""spec-kit: tasks.md (`- [ ] T001 [P] [US1] text with path`), spec.md and plan.md."""
