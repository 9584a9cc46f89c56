"""Tools as others describe them: made from a JSON Schema, and told in the forms of providers."""
