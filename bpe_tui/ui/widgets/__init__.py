"""The panes, one file each; the lists share `virtual_table`."""
