"""Stands for a program that works for a while and says how far it is."""

import sys

scene = sys.argv[-1]
if not scene.isalpha():
    sys.exit(2)
for frame in (1, 2, 3):
    print(f"frame {frame} of 3", end="\r", file=sys.stderr, flush=True)
print(f"{scene}.mp4")
