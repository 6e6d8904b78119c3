"""What the browser game's own tests are fed with."""
