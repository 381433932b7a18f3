-- Personalities, skills, memory scopes and states of agents.

CREATE TABLE agent_profiles (
  id TEXT NOT NULL PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  model TEXT,
  instructions TEXT NOT NULL,
  personality_template TEXT,
  voice_id TEXT,
  -- JSON: names.
  skills TEXT NOT NULL,
  memory_access TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- An id in lower case is its slug, unless another id differs from it in nothing else.
INSERT INTO agent_profiles
SELECT
  id,
  CASE WHEN EXISTS (SELECT 1 FROM agents AS other WHERE lower(other.id) = lower(agents.id) AND other.id < agents.id)
    THEN substr(lower(id), 1, 47) || '-' || lower(hex(randomblob(4))) ELSE lower(id) END,
  name, role, model, instructions, NULL, NULL, '[]',
  CASE id WHEN 'agent_default' THEN 'global' ELSE 'private' END,
  'idle', created_at_ms, created_at_ms
FROM agents;

DROP TABLE agents;
ALTER TABLE agent_profiles RENAME TO agents;
CREATE INDEX agents_asleep ON agents (id) WHERE status = 'sleeping';

-- Set while the run waits in the queue for its agent to wake up: nobody who claims has to look through those.
ALTER TABLE runs ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;

DROP INDEX runs_by_status;
CREATE INDEX runs_by_status ON runs (status, created_at_ms, id, is_held);
CREATE INDEX runs_held ON runs (agent_id) WHERE is_held = 1;
