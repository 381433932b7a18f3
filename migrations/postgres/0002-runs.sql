-- Runs and their event logs. An `owner` is the JSON text of a principal, such as "user:42", here as everywhere. Null
-- stands for the operator where lists for a principal are all that asks: what is the operator's then costs no index.

create table runs (
  id text collate "C" primary key,
  agent_id text collate "C" not null,
  owner text,
  session_id text collate "C",
  -- The run's place among the exchanges of its session, and the job that fired it.
  exchange bigint,
  job_id text collate "C",
  -- Null for a run that takes no frames.
  thread_id text,
  stays_open boolean not null,
  source text not null,
  status text not null check (
    status in ('queued', 'running', 'waiting', 'cancelling', 'completed', 'failed', 'cancelled')
  ),
  message text not null,
  last_seq bigint not null,
  last_hash text not null,
  output text,
  stop_reason text,
  -- JSON: code, message.
  error text,
  provider text,
  model text,
  turns bigint not null,
  tool_calls bigint not null,
  -- Null when a provider did not report the tokens of one turn: unknown is not none.
  input_tokens bigint,
  output_tokens bigint,
  -- Null when the price of one turn is unknown.
  cost_usd double precision,
  created_at_ms bigint not null,
  started_at_ms bigint,
  updated_at_ms bigint not null,
  ended_at_ms bigint,
  -- How far the beginning of the log was deleted: the last event that is gone, and its hash, which the first event kept
  -- names as the one before it. 0 and null while all are there.
  floor_seq bigint not null default 0,
  floor_hash text,
  -- Of a recorded run: a column of its own, because an index over last_seq would make every append touch it.
  kept_events bigint generated always as (case when recorded then last_seq - floor_seq end) stored,
  lease_id text,
  lease_owner text,
  lease_expires_at_ms bigint,
  cancel_requested boolean not null,
  -- Set while the run waits for an answer and until its next claim, which then is neither a start nor a recovery.
  parked boolean not null,
  -- Set while the run waits for nothing but its next frame: a later run of its session need not wait for it.
  awaits_frames boolean not null,
  -- How many it has got, and the event of the last one.
  frames bigint not null,
  last_frame_seq bigint not null,
  -- Which node writes the audit lines and the bundle: the one that claimed the run last, or took it over from a node
  -- that is gone. Null while nobody has claimed it.
  recorder text collate "C",
  audited_seq bigint not null,
  bundled boolean not null,
  -- Set when an ended run's audit lines and bundle are all written.
  recorded boolean not null
)
-- Every append updates the row: with room in the page, and no index over a column that it changes (predicates count),
-- the update touches no index.
with (fillfactor = 70);

create index runs_by_time on runs (created_at_ms, id);
create index runs_by_agent on runs (agent_id, created_at_ms, id);
create index runs_by_owner on runs (owner, created_at_ms, id) where owner is not null;
create index runs_by_status on runs (status, created_at_ms, id);
create index runs_by_session on runs (session_id, created_at_ms, id) where session_id is not null;
-- Whether a run has to wait for an older one of its session. A thread may gather many that rest: nobody has to look
-- through those.
create index runs_busy_by_session on runs (session_id, exchange)
  where exchange is not null and ended_at_ms is null and not awaits_frames;
create index runs_open_by_job on runs (job_id) where job_id is not null and ended_at_ms is null;
create index runs_claimable on runs (created_at_ms, id)
  where status in ('queued', 'running', 'cancelling');
create index runs_unrecorded on runs (created_at_ms, id)
  where ended_at_ms is not null and not recorded;
-- Recorded runs that keep more than their newest event: by their end, and by how many they keep.
create index runs_prunable on runs (ended_at_ms) where kept_events > 1;
create index runs_by_kept on runs (kept_events) where kept_events > 1;

-- No foreign key to runs: rows are only inserted under their run's lock, and the check would double an append's cost.
create table events (
  run_id text collate "C" not null,
  seq bigint not null,
  id text collate "C" not null,
  type text not null,
  at_ms bigint not null,
  actor text not null,
  payload text not null,
  redactions text not null,
  prev_hash text not null,
  hash text not null,
  primary key (run_id, seq)
);

create table idempotency_keys (
  key text collate "C" primary key,
  digest text not null,
  run_id text collate "C" not null references runs (id),
  created_at_ms bigint not null
);

-- State roots that record runs of this database. One whose lease has run out is gone, and others do what it left.
create table nodes (
  id text collate "C" primary key,
  lease_expires_at_ms bigint not null
);
