-- Calls of integrations and how they ended.

CREATE TABLE integration_calls (
  -- A run id, or an owner for calls outside of runs.
  scope TEXT NOT NULL,
  call_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  request_id TEXT NOT NULL,
  integration_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  -- NULL once it has ended.
  claim_id TEXT,
  lease_until_ms INTEGER NOT NULL,
  opened_at_ms INTEGER NOT NULL,
  -- NULL: kept for good.
  expires_at_ms INTEGER,
  -- 0 when it was not made.
  is_final INTEGER NOT NULL DEFAULT 0,
  -- JSON.
  result TEXT,
  PRIMARY KEY (scope, call_id)
) STRICT;

CREATE INDEX integration_calls_by_owner ON integration_calls (integration_id, owner, opened_at_ms);
CREATE INDEX integration_calls_by_expiry ON integration_calls (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
