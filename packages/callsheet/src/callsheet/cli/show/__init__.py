"""What commands print for people: runs as tables and live views, lists, numbers, trees."""
