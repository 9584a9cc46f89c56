"""What is made of a journal afterwards: results, replay, forks; and what may be asked of a run."""
