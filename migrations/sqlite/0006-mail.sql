-- Mail between agents. `no` counts up as mail is sent: the order of inboxes. An inbox is that of an agent and an owner.
CREATE TABLE mail (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- A digest.
  key TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  sender TEXT NOT NULL,
  receiver TEXT NOT NULL,
  subject TEXT NOT NULL,
  task_id TEXT NOT NULL,
  body TEXT NOT NULL,
  run_id TEXT,
  sent_at_ms INTEGER NOT NULL,
  delivered_at_ms INTEGER,
  -- A digest of the key of the call that took it.
  taken_by TEXT
) STRICT;

CREATE INDEX mail_by_receiver ON mail (receiver, no);
CREATE INDEX mail_undelivered ON mail (receiver, owner, no) WHERE delivered_at_ms IS NULL;
CREATE INDEX mail_by_taker ON mail (receiver, taken_by, no) WHERE taken_by IS NOT NULL;
-- Finds delivered mail that is old enough to go.
CREATE INDEX mail_delivered ON mail (delivered_at_ms) WHERE delivered_at_ms IS NOT NULL;
