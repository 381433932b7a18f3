-- Hand-offs between agents, and facts that anybody has put on record.

-- What is still to be done for one is what its row does not say yet: delivery needs no queue of its own.
CREATE TABLE handoffs (
  id TEXT NOT NULL PRIMARY KEY,
  -- A digest.
  key TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  sender TEXT NOT NULL,
  receiver TEXT NOT NULL,
  project_id TEXT NOT NULL,
  content TEXT NOT NULL,
  -- JSON: ids of agents.
  chain TEXT NOT NULL,
  parent_run_id TEXT,
  run_id TEXT NOT NULL UNIQUE,
  memory_id TEXT,
  state TEXT NOT NULL,
  result TEXT,
  error TEXT,
  created_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER,
  reported_at_ms INTEGER
) STRICT;

CREATE INDEX handoffs_unsettled ON handoffs (state, id) WHERE reported_at_ms IS NULL;
CREATE INDEX handoffs_waiting ON handoffs (receiver, state) WHERE reported_at_ms IS NULL;
CREATE INDEX handoffs_by_parent ON handoffs (parent_run_id) WHERE parent_run_id IS NOT NULL;
CREATE INDEX handoffs_by_project ON handoffs (project_id, created_at_ms, id);
CREATE INDEX handoffs_ended_by_project ON handoffs (project_id, ended_at_ms, id) WHERE ended_at_ms IS NOT NULL;

-- Terms are the texts as they are compared: without case and odd blanks.
CREATE TABLE facts (
  id TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  project_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  relation TEXT NOT NULL,
  object TEXT NOT NULL,
  subject_term TEXT NOT NULL,
  relation_term TEXT NOT NULL,
  object_term TEXT NOT NULL,
  valid_from_ms INTEGER NOT NULL,
  valid_to_ms INTEGER,
  source TEXT NOT NULL,
  agent_id TEXT,
  is_private INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX facts_by_subject ON facts (owner, project_id, subject_term, relation_term);
CREATE INDEX facts_by_project ON facts (project_id, created_at_ms, id);

-- The feed and the list of projects ask for ended runs, and for runs of an agent.
CREATE INDEX runs_ended_by_project ON runs (project_id, ended_at_ms, id)
WHERE project_id IS NOT NULL AND ended_at_ms IS NOT NULL;
CREATE INDEX runs_by_project_agent ON runs (project_id, agent_id) WHERE project_id IS NOT NULL;

-- What the feed shows of memories.
CREATE INDEX memories_of_feed ON memories (project_id, created_at_ms, id)
WHERE priority_score >= 7 AND removed_at_ms IS NULL;
CREATE INDEX handoffs_by_sender ON handoffs (project_id, sender);
CREATE INDEX handoffs_by_receiver ON handoffs (project_id, receiver);
