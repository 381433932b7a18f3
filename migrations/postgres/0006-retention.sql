-- How far the beginning of a run's log was deleted: the last event that is gone, and its hash, which the first event
-- kept names as the one before it. 0 and null while all are there. Of a recorded run, how many events are kept: a
-- column of its own, because an index over last_seq would make every append touch it.
alter table runs
  add column floor_seq bigint not null default 0,
  add column floor_hash text,
  add column kept_events bigint generated always as (case when recorded then last_seq - floor_seq end) stored;

-- Recorded runs that keep more than their newest event: by their end, and by how many they keep.
create index runs_prunable on runs (ended_at_ms) where kept_events > 1;
create index runs_by_kept on runs (kept_events) where kept_events > 1;
