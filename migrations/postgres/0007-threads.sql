-- The frames that runs of threads get, and the nonces of signed requests.

-- What was sent is in its event. A frame that came after the run's end has none, and keeps it here. No foreign key:
-- rows are only inserted under their run's lock.
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
