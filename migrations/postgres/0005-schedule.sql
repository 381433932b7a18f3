-- Scheduled jobs and what became of their slots.

create table jobs (
  id text collate "C" primary key,
  agent_id text collate "C" not null,
  owner text,
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
create index jobs_by_owner on jobs (owner, id) where owner is not null;
create index jobs_due on jobs (next_slot_ms, id) where is_enabled and next_slot_ms is not null;

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
