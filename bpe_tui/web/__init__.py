"""The app in browsers: a server with a page of its own, and a confined process for each client."""
