"""The model way: a model writes script and shots, our rules check them, our own way mends them.

Asking is `model.ask`, a step of the run; what is here is pure. A question goes out, an answer is
read and judged, what is wrong goes back twice, and what is still wrong is replaced, beat by beat
and shot by shot, by what the offline way has in its place.
"""
