"""Counting words on a Dask cluster: `counting` makes the plan, `tasks` run on the workers, `local` is a cluster here.

Dask, an optional and heavy package, is imported inside the functions that need it.
"""
