-- Workers that a product attaches, their event logs and the requests made of them.

create table workers (
  id text collate "C" primary key,
  owner text not null,
  adapter text not null check (adapter in ('in_memory', 'process')),
  command text,
  workspace_ref text,
  codex_home_ref text,
  metadata text not null,
  status text not null check (status in ('starting', 'running', 'stopping', 'stopped', 'failed')),
  latest_seq bigint not null,
  request_count bigint not null,
  epoch bigint not null,
  -- The server that holds it, when it would die with that server.
  host text,
  host_expires_at_ms bigint,
  process_mark text,
  created_at_ms bigint not null,
  started_at_ms bigint,
  stopped_at_ms bigint,
  last_heartbeat_at_ms bigint,
  updated_at_ms bigint not null
);

create index workers_by_owner on workers (owner, updated_at_ms, id);
create index workers_live on workers (owner) where status in ('starting', 'running', 'stopping');
create index workers_hosted on workers (host_expires_at_ms) where host is not null;
create index workers_ended on workers (stopped_at_ms) where stopped_at_ms is not null;

-- No foreign keys: rows are only inserted under their worker's lock.
create table worker_events (
  worker_id text collate "C" not null,
  seq bigint not null,
  type text not null,
  payload text not null,
  at_ms bigint not null,
  primary key (worker_id, seq)
);

-- Open while `response` is null.
create table worker_requests (
  worker_id text collate "C" not null,
  request_id text not null,
  digest text not null,
  -- The server that asks.
  host text not null,
  response text,
  begun_at_ms bigint not null,
  settled_at_ms bigint,
  primary key (worker_id, request_id)
);

create index worker_requests_open on worker_requests (worker_id, begun_at_ms)
  where settled_at_ms is null;
create index worker_requests_settled on worker_requests (settled_at_ms)
  where settled_at_ms is not null;
