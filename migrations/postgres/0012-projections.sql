-- How far runs and workers are projected.

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
