"""Judge plans: by rules, by a project's policy, file by file and folder by folder."""
