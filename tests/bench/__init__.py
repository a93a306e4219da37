"""Measurements that take minutes, and print a table."""
