-- Calls of integrations and how they ended, and the secrets that they are made with.

create table integration_calls (
  -- A run id, or an owner for calls outside of runs.
  scope text collate "C" not null,
  call_id text collate "C" not null,
  digest text not null,
  request_id text not null,
  integration_id text collate "C" not null,
  owner text collate "C" not null,
  -- Null once it has ended.
  claim_id text,
  lease_until_ms bigint not null,
  opened_at_ms bigint not null,
  -- Null: kept for good.
  expires_at_ms bigint,
  -- False when it was not made.
  is_final boolean not null default false,
  -- JSON.
  result text,
  primary key (scope, call_id)
);

create index integration_calls_by_owner on integration_calls (integration_id, owner, opened_at_ms);
create index integration_calls_by_expiry on integration_calls (expires_at_ms) where expires_at_ms is not null;

-- The secrets that all nodes share: one document, sealed with a master key that is not in the database.
create table secret_document (
  is_only boolean primary key default true check (is_only),
  -- Moves on with every change.
  revision bigint not null,
  -- JSON: names, dates and ciphertexts.
  document text not null
);
