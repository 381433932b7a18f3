-- Sessions and their messages, scheduled jobs, and mail between agents. Names and texts that come from outside are JSON
-- strings, as elsewhere.

-- The run's place among the exchanges of its session, and the job that fired it.
alter table runs add column exchange bigint, add column job_id text collate "C";

create index runs_by_session on runs (session_id, created_at_ms, id) where session_id is not null;
-- Whether a run has to wait for an older one of its session. Appends change none of these columns.
create index runs_open_by_session on runs (session_id, exchange)
  where exchange is not null and ended_at_ms is null;
create index runs_open_by_job on runs (job_id) where job_id is not null and ended_at_ms is null;

create table sessions (
  id text collate "C" primary key,
  agent_id text collate "C" not null,
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

create table jobs (
  id text collate "C" primary key,
  agent_id text collate "C" not null,
  schedule text not null,
  message text not null,
  mode text not null check (mode in ('isolated', 'main_like')),
  notify_channel text not null check (notify_channel in ('none', 'session', 'agent')),
  notify_target text not null,
  is_enabled boolean not null,
  timezone text not null,
  catch_up text not null check (catch_up in ('none', 'once')),
  anchor_ms bigint not null,
  -- Null when it is never due again.
  next_slot_ms bigint,
  revision bigint not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null
);

create index jobs_by_agent on jobs (agent_id, id);
create index jobs_due on jobs (next_slot_ms, id) where is_enabled;

-- A fired slot, with its run, or a stretch of missed ones, with the reason. Of one job they are numbered in order,
-- because they are written under its lock.
create table job_firings (
  no bigint generated always as identity primary key,
  job_id text collate "C" not null,
  at_ms bigint not null,
  first_slot_ms bigint not null,
  last_slot_ms bigint not null,
  slots bigint not null,
  run_id text collate "C",
  reason text,
  -- False until somebody was told how the fired run ended.
  settled boolean not null,
  check ((run_id is null) = (reason is not null))
);

create index job_firings_by_job on job_firings (job_id, no);
create index job_firings_unsettled on job_firings (no) where not settled;

-- One row. Whoever fires a slot or adds a job holds its lock: what they count does not change meanwhile.
create table scheduler_state (
  no integer primary key check (no = 1),
  is_paused boolean not null
);

insert into scheduler_state (no, is_paused) values (1, false);

-- `no` counts up within an inbox, because mail is added under the inbox's lock.
create table mail (
  no bigint generated always as identity primary key,
  id text collate "C" not null unique,
  -- A digest.
  key text not null unique,
  sender text not null,
  receiver text collate "C" not null,
  subject text not null,
  task_id text not null,
  body text not null,
  run_id text,
  sent_at_ms bigint not null,
  delivered_at_ms bigint,
  -- A digest of the key of the call that took it.
  taken_by text
);

create index mail_by_receiver on mail (receiver, no);
create index mail_undelivered on mail (receiver, no) where delivered_at_ms is null;
create index mail_by_taker on mail (receiver, taken_by, no) where taken_by is not null;
