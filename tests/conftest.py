"""What all tests share: how hard hypothesis tries, and how apps are waited for."""

import os

from hypothesis import settings

from tests import idle

# No deadline: a busy machine is no failure. `HYPOTHESIS_PROFILE=long make test` searches for an hour, not a minute.
settings.register_profile("default", max_examples=50, deadline=None, print_blob=True)
settings.register_profile("long", max_examples=3000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

idle.install()
