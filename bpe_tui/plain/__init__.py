"""Plain mode: the same teaching as the app's without a screen, for screen readers, dumb terminals, scripts and pipes.

A `conversation` reads a line and answers in sentences, with no colour and no cursor moves. `views` says in lines what
the panes of the app show. `training` steps through a training freely, `lesson` goes through a lesson.

It shares the session layer of the app (`ui.session`), which knows no screen, and nothing else of it.
"""
