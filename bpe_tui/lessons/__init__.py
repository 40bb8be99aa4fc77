"""Lessons: walkthroughs that are one Markdown file each, read well as they are, and run.

From a file to a page that is read: `document` (front matter, pages and blocks, by markdown-it) with `prose`; `reading`
makes of it a `lesson`; `walk` visits its pages, carrying out their commands in a `workspace`.

The lesson language is one class for each of its words: `commands` (`step`, `show pairs`, `expect`, …) and `subjects`
(`next`, `count u + n`, …, of which `expect` and `ask` speak) with their `values`; `syntax` splits a line into words.
`results` are what commands show. `questions` judges answers, `checking` verifies a lesson, `printing` writes it as text
or Markdown, `library` knows the lessons that come with the program, in `files/`.
"""
