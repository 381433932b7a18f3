-- Hand-offs between agents, and facts that anybody has put on record.

-- What is still to be done for one is what its row does not say yet: delivery needs no queue of its own.
create table handoffs (
  id text collate "C" primary key,
  -- A digest.
  key text not null unique,
  owner text not null,
  sender text collate "C" not null,
  receiver text collate "C" not null,
  project_id text collate "C" not null,
  content text not null,
  -- JSON: ids of agents.
  chain text not null,
  parent_run_id text collate "C",
  run_id text collate "C" not null unique,
  memory_id text collate "C",
  state text not null,
  result text,
  error text,
  created_at_ms bigint not null,
  ended_at_ms bigint,
  reported_at_ms bigint
);

create index handoffs_unsettled on handoffs (state, id) where reported_at_ms is null;
create index handoffs_waiting on handoffs (receiver, state) where reported_at_ms is null;
create index handoffs_by_parent on handoffs (parent_run_id) where parent_run_id is not null;
create index handoffs_by_project on handoffs (project_id, created_at_ms, id);
create index handoffs_ended_by_project on handoffs (project_id, ended_at_ms, id) where ended_at_ms is not null;

-- Terms are the texts as they are compared: without case and odd blanks.
create table facts (
  id text collate "C" primary key,
  owner text not null,
  project_id text collate "C" not null,
  subject text not null,
  relation text not null,
  object text not null,
  subject_term text not null,
  relation_term text not null,
  object_term text not null,
  valid_from_ms bigint not null,
  valid_to_ms bigint,
  source text not null,
  agent_id text collate "C",
  is_private boolean not null,
  created_at_ms bigint not null
);

create index facts_by_subject on facts (owner, project_id, subject_term, relation_term);
create index facts_by_project on facts (project_id, created_at_ms, id);

-- Projects are listed in one order on both engines.
alter table runs alter column project_id type text collate "C";
-- The feed and the list of projects ask for ended runs, and for runs of an agent.
create index runs_ended_by_project on runs (project_id, ended_at_ms, id)
where project_id is not null and ended_at_ms is not null;
create index runs_by_project_agent on runs (project_id, agent_id) where project_id is not null;

-- What the feed shows of memories.
create index memories_of_feed on memories (project_id, created_at_ms, id)
where priority_score >= 7 and removed_at_ms is null;
create index handoffs_by_sender on handoffs (project_id, sender);
create index handoffs_by_receiver on handoffs (project_id, receiver);
