-- Delivery events of mail providers, and recipients that get no more mail.

CREATE TABLE delivery_events (
  no INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  event_id TEXT NOT NULL,
  -- Of the whole event as it was sent.
  digest TEXT NOT NULL,
  state TEXT NOT NULL,
  message_id TEXT,
  integration_id TEXT,
  -- Recipients themselves are not stored.
  recipient_digest TEXT,
  occurred_at_ms INTEGER,
  reason TEXT,
  -- JSON, redacted.
  payload TEXT NOT NULL,
  received_at_ms INTEGER NOT NULL,
  UNIQUE (provider, event_id)
) STRICT;

-- Finds those that are old enough to go.
CREATE INDEX delivery_events_by_time ON delivery_events (received_at_ms);

CREATE TABLE suppressions (
  no INTEGER PRIMARY KEY,
  recipient_digest TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  provider TEXT NOT NULL,
  event_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;
