"""The rules that a script has to keep, by what they are about."""
