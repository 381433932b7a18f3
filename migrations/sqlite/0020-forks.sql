-- JSON: runId, seq. The event of another run that a fork goes on from; NULL for all other runs.
ALTER TABLE runs ADD COLUMN forked_from TEXT;
