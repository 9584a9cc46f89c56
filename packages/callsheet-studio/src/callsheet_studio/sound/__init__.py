"""The sound of a film: voices, music, the sound of places, and their mix.

Everything is a pure function of what it is given: the same script gives the same bytes.
"""
