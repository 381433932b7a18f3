-- Sessions, their messages, and which of them is active where.

create table sessions (
  id text collate "C" primary key,
  agent_id text collate "C" not null,
  owner text,
  channel text not null,
  user_id text not null,
  room_id text not null,
  -- A digest of these three: names of any length are found by it.
  place text not null,
  title text not null,
  message_count bigint not null,
  last_exchange bigint not null,
  forked_from text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  closed_at_ms bigint
);

create index sessions_by_update on sessions (updated_at_ms, id);
create index sessions_by_agent on sessions (agent_id, updated_at_ms, id);
create index sessions_by_owner on sessions (owner, updated_at_ms, id) where owner is not null;
create index sessions_by_place on sessions (place, updated_at_ms, id);

-- No foreign key: rows are only inserted under their session's lock, or before anybody knows of it.
create table session_messages (
  session_id text collate "C" not null,
  exchange bigint not null,
  position bigint not null,
  role text not null check (role in ('system', 'user', 'assistant', 'tool')),
  content text not null,
  tool_name text,
  tool_call_id text,
  status text check (status in ('failed', 'cancelled')),
  run_id text,
  at_ms bigint not null,
  primary key (session_id, exchange, position)
);

-- Apart from the session's row, which every message rewrites.
create table session_summaries (
  session_id text collate "C" primary key,
  text text not null,
  exchange bigint not null,
  position bigint not null
);

create table active_sessions (
  agent_id text collate "C" not null,
  place text not null,
  -- Null for the moment in which its first session is made.
  session_id text collate "C",
  primary key (agent_id, place)
);

create table active_agents (
  place text primary key,
  agent_id text not null
);
