-- The effect ledger, approvals, idempotency records and circuit breakers.

-- Written under the run's lock only, except where a person resolves what is unknown. `no` orders lists.
create table effects (
  no bigint generated always as identity primary key,
  id text collate "C" not null unique,
  run_id text collate "C" not null,
  agent_id text collate "C" not null,
  tool text collate "C" not null,
  call_id text not null,
  key text,
  input_digest text not null,
  status text collate "C" not null check (status in ('intent', 'sent', 'confirmed', 'failed', 'unknown')),
  -- JSON: code, message.
  error text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  -- JSON: status, by, note, atMs.
  resolution text
);

create index effects_by_run on effects (run_id, no);
create index effects_by_tool on effects (tool, no);
-- Nearly all are confirmed in the end and need no index to be found.
create index effects_by_status on effects (status, no) where status <> 'confirmed';

create table approvals (
  no bigint generated always as identity primary key,
  id text collate "C" not null unique,
  run_id text collate "C" not null,
  agent_id text collate "C" not null,
  request_id text collate "C" not null,
  tool text not null,
  call_id text not null,
  input text not null,
  input_digest text not null,
  reason text not null,
  status text not null check (status in ('pending', 'approved', 'denied', 'expired')),
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  decided_by text,
  decided_at_ms bigint,
  note text
);

create index approvals_by_run on approvals (run_id, no);
create index approvals_by_request on approvals (request_id, no);
create index approvals_pending on approvals (expires_at_ms, no) where status = 'pending';

create table idempotency_records (
  -- Both parts are escaped: plain ASCII, and the keys of one tool lie together.
  stored_key text collate "C" primary key,
  tool_id text not null,
  key text not null,
  state text not null check (state in ('PENDING', 'COMPLETED', 'FAILED')),
  digest text not null,
  claim_id text not null,
  version bigint not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  lease_until_ms bigint not null,
  expires_at_ms bigint not null,
  result text,
  not_kept text,
  error text
);

create index idempotency_records_by_expiry on idempotency_records (expires_at_ms);

-- Keys are escaped so that they order as the names they stand for.
create table breakers (
  key text collate "C" primary key,
  version bigint not null,
  -- JSON.
  state text not null
);
