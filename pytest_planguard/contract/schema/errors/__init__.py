"""What validators report, as findings: our codes, paths of the document, rules in words, what was got."""
