"""Counting words on a Dask cluster; nothing here loads Dask before it is asked to."""
