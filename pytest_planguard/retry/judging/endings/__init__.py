"""What ends a task or goes on with it: closing words, samples, rejections, requests that no model answered."""
