"""Rate limits, quotas and limits on open sockets."""
