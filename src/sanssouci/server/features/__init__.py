"""What the server offers beyond play: reviews, statistics, lessons, hints, score sheets, the audit."""
