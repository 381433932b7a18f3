-- What agents remember.

create table memories (
  id text collate "C" primary key,
  owner text not null,
  agent_id text not null,
  -- As whoever brought it named the agent.
  agent_name text not null,
  project_id text collate "C" not null,
  session_id text,
  content text not null,
  source text not null,
  -- JSON.
  tags text not null,
  timestamp_ms bigint not null,
  -- JSON: what callers told and we do not know.
  extra text not null,
  priority_score bigint not null,
  pinned boolean not null,
  pin_reason text,
  -- The priority it had before it was pinned.
  unpinned_score bigint,
  is_private boolean not null,
  is_trusted boolean not null,
  access_count bigint not null,
  accessed_at_ms bigint not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  -- Counts up over all memories with every change.
  revision bigint not null,
  -- Of whose it is and what it says; the id once it is removed.
  digest text collate "C" not null unique,
  -- Then nothing of it is left but id and revision.
  removed_at_ms bigint
);

create index memories_by_revision on memories (revision);
create index memories_by_project on memories (project_id, id);
create index memories_by_agent on memories (agent_id, id);
create index memories_pinned on memories (id) where pinned;
create index memories_removed on memories (removed_at_ms) where removed_at_ms is not null;

-- What callers named their memories.
create table memory_keys (
  -- A digest.
  key text collate "C" primary key,
  -- Of all that came with it.
  digest text not null,
  memory_id text not null,
  created_at_ms bigint not null
);

create index memory_keys_by_age on memory_keys (created_at_ms);

-- One row: the newest revision, how many memories there are, and up to which revision removals are forgotten.
create table memory_head (
  no integer primary key check (no = 1),
  revision bigint not null,
  memories bigint not null,
  purged_through bigint not null
);

insert into memory_head (no, revision, memories, purged_through) values (1, 0, 0, 0);
