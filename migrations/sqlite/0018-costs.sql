-- Usage, budgets and the kill switch.

-- The newest one says how the switch stands; the others say who turned it before.
CREATE TABLE kill_switch_changes (
  no INTEGER PRIMARY KEY,
  is_on INTEGER NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;

-- What may be spent. `name` and `scope` are JSON; amounts of money are picodollars as text here and below, exactly.
CREATE TABLE cost_budgets (
  name TEXT NOT NULL PRIMARY KEY,
  scope TEXT NOT NULL,
  pico TEXT,
  tokens INTEGER,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What was spent: of a project, an agent, a day, or of an agent in a project. `held_…` is for calls under way.
CREATE TABLE cost_accounts (
  name TEXT NOT NULL PRIMARY KEY,
  share_of TEXT,
  agent_id TEXT,
  agent_name TEXT,
  pico TEXT NOT NULL,
  tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  held_pico TEXT NOT NULL,
  held_tokens INTEGER NOT NULL,
  last_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX cost_accounts_by_project ON cost_accounts (share_of, name) WHERE share_of IS NOT NULL;
CREATE INDEX cost_accounts_by_expiry ON cost_accounts (expires_at_ms) WHERE expires_at_ms IS NOT NULL;

-- How much of a run is in those accounts.
CREATE TABLE cost_runs (
  run_id TEXT NOT NULL PRIMARY KEY,
  pico TEXT NOT NULL,
  tokens_in INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL,
  lost_pico TEXT NOT NULL,
  lost_in INTEGER NOT NULL,
  lost_out INTEGER NOT NULL,
  held_day TEXT,
  held_pico TEXT NOT NULL,
  held_in INTEGER NOT NULL,
  held_out INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  token_gaps INTEGER NOT NULL,
  cost_gaps INTEGER NOT NULL,
  closed_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX cost_runs_by_close ON cost_runs (closed_at_ms) WHERE closed_at_ms IS NOT NULL;

-- Usage that was reported under a key, so that it counts once.
CREATE TABLE cost_usages (
  key TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX cost_usages_by_expiry ON cost_usages (expires_at_ms);
