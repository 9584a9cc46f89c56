"""For those who test with Callsheet: contracts for stores of their own."""
