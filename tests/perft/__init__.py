"""Positions with their turn counts; each file contains its boards."""
