-- JSON: runId, seq. The event of another run that a fork goes on from; null for all other runs.
alter table runs add column forked_from text;
