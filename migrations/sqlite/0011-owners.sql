-- Whose things are: the JSON text of a principal, such as "user:42". NULL stands for the operator where lists for a
-- principal are all that asks: what is the operator's then costs no index.

ALTER TABLE runs RENAME COLUMN thread_owner TO owner;
CREATE INDEX runs_by_owner ON runs (owner, created_at_ms, id) WHERE owner IS NOT NULL;

ALTER TABLE sessions ADD COLUMN owner TEXT;
UPDATE sessions SET owner = user_id WHERE channel = '"thread"';
CREATE INDEX sessions_by_owner ON sessions (owner, updated_at_ms, id) WHERE owner IS NOT NULL;

ALTER TABLE jobs ADD COLUMN owner TEXT;
CREATE INDEX jobs_by_owner ON jobs (owner, id) WHERE owner IS NOT NULL;

-- An inbox is that of an agent and an owner.
ALTER TABLE mail ADD COLUMN owner TEXT NOT NULL DEFAULT '"operator"';
DROP INDEX mail_undelivered;
CREATE INDEX mail_undelivered ON mail (to_agent, owner, no) WHERE delivered_at_ms IS NULL;

-- The same for all versions of an id: whoever made the first one.
ALTER TABLE skill_specs ADD COLUMN owner TEXT NOT NULL DEFAULT '"operator"';
UPDATE skill_specs SET owner = (
  SELECT first.submitted_by FROM skill_specs AS first
  WHERE first.kind = skill_specs.kind AND first.id = skill_specs.id
  ORDER BY first.no LIMIT 1
);
