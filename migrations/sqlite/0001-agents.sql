-- Both engines have the same tables and columns; `test/conformance/schema.test.ts` lists where they differ, and why.
-- Times are milliseconds since 1970 by the store's clock. Texts that come from outside are JSON strings: a driver cuts
-- plain text at the first NUL character.

CREATE TABLE agents (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  model TEXT,
  instructions TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE capabilities (
  agent_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  effect TEXT NOT NULL,
  changed_by TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (agent_id, tool)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_pins (
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  -- JSON: the pin without these two.
  pin TEXT NOT NULL,
  PRIMARY KEY (server, tool)
) STRICT;
