"""Find the recorded answer for a request, or explain how the request differs from every recorded one."""
