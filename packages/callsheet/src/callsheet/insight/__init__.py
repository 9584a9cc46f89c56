"""What can be known of plans and tools beforehand and afterwards: forecasts and statistics."""
