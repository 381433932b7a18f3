-- Ids compare by byte, as they do in every other engine. Times are integer milliseconds since the epoch, because
-- event hashes cover them. Columns that hold free text keep it as a JSON string: PostgreSQL text can't hold NUL.
create table agents (
  id text collate "C" primary key,
  name text not null,
  role text not null,
  model text,
  instructions text not null,
  created_at_ms bigint not null
);

create table runs (
  id text collate "C" primary key,
  agent_id text collate "C" not null,
  session_id text collate "C",
  source text not null,
  status text not null check (
    status in ('queued', 'running', 'waiting', 'cancelling', 'completed', 'failed', 'cancelled')
  ),
  message text not null,
  last_seq bigint not null,
  last_hash text not null,
  output text,
  stop_reason text,
  error_code text,
  error_message text,
  provider text,
  model text,
  turns bigint not null,
  tool_calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_usd double precision,
  created_at_ms bigint not null,
  started_at_ms bigint,
  updated_at_ms bigint not null,
  ended_at_ms bigint,
  lease_id text,
  lease_owner text,
  lease_expires_at_ms bigint,
  cancel_requested boolean not null,
  audited_seq bigint not null,
  bundled boolean not null,
  -- Set when an ended run's audit lines and bundle are all written.
  recorded boolean not null
)
-- Every append updates the row: with room in the page, and no index over a column that it changes (predicates count),
-- the update touches no index.
with (fillfactor = 70);

create index runs_by_time on runs (created_at_ms, id);
create index runs_by_timent on runs (agent_id, created_at_ms, id);
create index runs_by_status on runs (status, created_at_ms, id);
create index runs_claimable on runs (created_at_ms, id)
  where status in ('queued', 'running', 'cancelling');
create index runs_unrecorded on runs (created_at_ms, id)
  where ended_at_ms is not null and not recorded;

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
