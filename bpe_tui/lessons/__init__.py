"""Lessons: walkthroughs that are one Markdown file each, read well as they are, and run."""
