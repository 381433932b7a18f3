-- Sessions, their messages, and which of them is active where.

CREATE TABLE sessions (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  owner TEXT,
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL,
  room_id TEXT NOT NULL,
  title TEXT NOT NULL,
  message_count INTEGER NOT NULL,
  last_exchange INTEGER NOT NULL,
  forked_from TEXT,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  closed_at_ms INTEGER
) STRICT;

CREATE INDEX sessions_by_update ON sessions (updated_at_ms, id);
CREATE INDEX sessions_by_agent ON sessions (agent_id, updated_at_ms, id);
CREATE INDEX sessions_by_owner ON sessions (owner, updated_at_ms, id) WHERE owner IS NOT NULL;
CREATE INDEX sessions_by_user ON sessions (user_id, updated_at_ms, id);

-- Clustered: a conversation is read in this order, page by page.
CREATE TABLE session_messages (
  session_no INTEGER NOT NULL,
  exchange INTEGER NOT NULL,
  position INTEGER NOT NULL,
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  tool_name TEXT,
  tool_call_id TEXT,
  status TEXT,
  run_id TEXT,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (session_no, exchange, position)
) STRICT, WITHOUT ROWID;

-- Apart from the session's row, which every message rewrites.
CREATE TABLE session_summaries (
  session_no INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  exchange INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT;

CREATE TABLE active_sessions (
  agent_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL,
  room_id TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  PRIMARY KEY (agent_id, channel, user_id, room_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE active_agents (
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL,
  room_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  PRIMARY KEY (channel, user_id, room_id)
) STRICT, WITHOUT ROWID;
