"""What may go wrong under the server, planted on purpose: nothing acknowledged is lost."""
