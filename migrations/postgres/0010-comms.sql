-- Delivery events of mail providers, suppressed recipients, and how far runs and workers are projected. Names and texts
-- that come from outside are JSON strings, as elsewhere.
create table delivery_events (
  no bigint generated always as identity primary key,
  provider text collate "C" not null,
  event_id text collate "C" not null,
  -- Of the whole event as it was sent.
  digest text not null,
  state text not null check (state in ('delivered', 'bounced', 'complained', 'unsubscribed')),
  message_id text,
  integration_id text,
  -- Recipients themselves are not stored.
  recipient_digest text,
  occurred_at_ms bigint,
  reason text,
  -- JSON, redacted.
  payload text not null,
  received_at_ms bigint not null,
  unique (provider, event_id)
);

-- Finds those that are old enough to go.
create index delivery_events_by_time on delivery_events (received_at_ms);

create table suppressions (
  no bigint generated always as identity primary key,
  recipient_digest text collate "C" not null unique,
  state text not null check (state in ('bounced', 'complained', 'unsubscribed')),
  provider text not null,
  event_id text not null,
  at_ms bigint not null
);

create table projections (
  projection text collate "C" not null,
  entity_id text collate "C" not null,
  -- Counts up with every write: who read an older one does not write over a newer.
  revision bigint not null,
  seq bigint not null,
  version text not null,
  summary_hash text not null,
  projected_at_ms bigint not null,
  -- False once nothing more can happen to the entity.
  is_open boolean not null,
  -- JSON: the fold up to `seq`.
  state text not null,
  primary key (projection, entity_id)
);

create index projections_open on projections (projection, entity_id) where is_open;

-- One row: who writes to the sink, until when, and how that goes.
create table projection_writer (
  no integer primary key check (no = 1),
  owner text not null,
  expires_at_ms bigint not null,
  failures bigint not null,
  error text,
  failed_at_ms bigint
);

insert into projection_writer (no, owner, expires_at_ms, failures) values (1, '', 0, 0);
