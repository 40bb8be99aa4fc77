"""Boxes over a screen that ask for something and end with a result: what to open, where to write, which merge, …"""
