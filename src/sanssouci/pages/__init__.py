"""Pages for a browser: what they have in common. No script, nothing loaded from elsewhere, light and dark."""

from ..review.html_page import paragraph, whole_page

__all__ = ["paragraph", "whole_page"]
