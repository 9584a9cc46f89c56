"""Reading sentences: words by what they stand for, and the commands that they make."""
