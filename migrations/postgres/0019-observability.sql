-- What was refused and what failed, counted.

create table counts (
  -- When the minute began.
  minute_ms bigint not null,
  -- The process that counted.
  node text collate "C" not null,
  kind text collate "C" not null check (kind in ('security_event', 'error_taxonomy')),
  key text collate "C" not null,
  times bigint not null,
  primary key (minute_ms, node, kind, key)
);
