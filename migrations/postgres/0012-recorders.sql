-- Which node writes the audit lines and the bundle of a run: the one that claimed it last, or took it over from a node
-- that is gone. Null while nobody has claimed it.
alter table runs add column recorder text collate "C";

-- State roots that record runs of this database. One whose lease has run out is gone, and others do what it left.
create table nodes (
  id text collate "C" primary key,
  lease_expires_at_ms bigint not null
);
