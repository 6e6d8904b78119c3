"""Speed, measured; never a test that can fail on a busy machine."""
