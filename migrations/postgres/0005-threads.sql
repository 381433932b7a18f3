-- Runs that take frames, the frames, and the nonces of signed requests. Names and texts that come from outside are JSON
-- strings, as elsewhere.

alter table runs
  -- Null for a run that takes no frames.
  add column thread_id text,
  add column thread_owner text,
  add column stays_open boolean not null default false,
  -- Set while the run waits for nothing but its next frame: a later run of its session need not wait for it.
  add column awaits_frames boolean not null default false,
  -- How many it has got, and the event of the last one.
  add column frames bigint not null default 0,
  add column last_frame_seq bigint not null default 0;

-- A thread may gather many runs that rest, and nobody has to look through them. Appends change none of these columns.
drop index runs_open_by_session;
create index runs_busy_by_session on runs (session_id, exchange)
  where exchange is not null and ended_at_ms is null and not awaits_frames;

-- What was sent is in its event. A frame that came after the run's end has none, and keeps it here. No foreign key: rows
-- are only inserted under their run's lock.
create table frames (
  run_id text collate "C" not null,
  -- A digest of the frame's id.
  key text collate "C" not null,
  frame_id text not null,
  digest text not null,
  seq bigint,
  -- JSON.
  payload text,
  at_ms bigint not null,
  primary key (run_id, key)
);

create index frames_by_seq on frames (run_id, seq) where seq is not null;

create table nonces (
  -- A digest.
  key text collate "C" primary key,
  expires_at_ms bigint not null
);

create index nonces_by_expiry on nonces (expires_at_ms);
