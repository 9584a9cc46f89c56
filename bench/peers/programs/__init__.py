"""Programs that run in the environments of the peers. They import no part of Callsheet."""
