-- Which node writes the audit lines and the bundle of a run: the one that claimed it last, or took it over from a node
-- that is gone. Null while nobody has claimed it.
-- What was recorded before nodes had names lies with one of them, nobody knows which. As a default it costs no rewriting.
alter table runs add column recorder text collate "C" default 'unnamed';
alter table runs alter column recorder drop default;
update runs set recorder = null where not recorded;

-- State roots that record runs of this database. One whose lease has run out is gone, and others do what it left.
create table nodes (
  id text collate "C" primary key,
  lease_expires_at_ms bigint not null
);
