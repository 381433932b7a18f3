-- Browsers that the operator signed in with.

CREATE TABLE sign_ins (
  id TEXT NOT NULL PRIMARY KEY,
  -- SHA-256: whoever reads this table is not signed in by it.
  secret_digest TEXT NOT NULL,
  token_tag TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  address TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sign_ins_by_token ON sign_ins (token_tag, id);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at_ms);
