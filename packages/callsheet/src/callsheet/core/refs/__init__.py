"""References: the JMESPath expressions inside `${…}`, understood once and resolved often."""
