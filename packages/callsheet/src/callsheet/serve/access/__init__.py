"""Who is asking, for which tenant, and what they may do."""
