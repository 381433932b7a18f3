-- What agents remember.

CREATE TABLE memories (
  id TEXT PRIMARY KEY NOT NULL,
  owner TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  -- As whoever brought it named the agent.
  agent_name TEXT NOT NULL,
  project_id TEXT NOT NULL,
  session_id TEXT,
  content TEXT NOT NULL,
  source TEXT NOT NULL,
  -- JSON.
  tags TEXT NOT NULL,
  timestamp_ms INTEGER NOT NULL,
  -- JSON: what callers told and we do not know.
  extra TEXT NOT NULL,
  priority_score INTEGER NOT NULL,
  pinned INTEGER NOT NULL,
  pin_reason TEXT,
  -- The priority it had before it was pinned.
  unpinned_score INTEGER,
  is_private INTEGER NOT NULL,
  is_trusted INTEGER NOT NULL,
  access_count INTEGER NOT NULL,
  accessed_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  -- Counts up over all memories with every change.
  revision INTEGER NOT NULL,
  -- Of whose it is and what it says; the id once it is removed.
  digest TEXT NOT NULL UNIQUE,
  -- Then nothing of it is left but id and revision.
  removed_at_ms INTEGER
) STRICT;

CREATE INDEX memories_by_revision ON memories (revision);
CREATE INDEX memories_by_project ON memories (project_id, id);
CREATE INDEX memories_by_agent ON memories (agent_id, id);
CREATE INDEX memories_pinned ON memories (id) WHERE pinned = 1;
CREATE INDEX memories_removed ON memories (removed_at_ms) WHERE removed_at_ms IS NOT NULL;

-- What callers named their memories.
CREATE TABLE memory_keys (
  -- A digest.
  key TEXT PRIMARY KEY,
  -- Of all that came with it.
  digest TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_keys_by_age ON memory_keys (created_at_ms);

-- One row: the newest revision, how many memories there are, and up to which revision removals are forgotten.
CREATE TABLE memory_head (
  no INTEGER PRIMARY KEY CHECK (no = 1),
  revision INTEGER NOT NULL,
  memories INTEGER NOT NULL,
  purged_through INTEGER NOT NULL
) STRICT;

INSERT INTO memory_head (no, revision, memories, purged_through) VALUES (1, 0, 0, 0);
