"""Models and turns: an answer that is being written, and the calls in it, as steps of a run."""
