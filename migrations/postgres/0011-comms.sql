-- Delivery events of mail providers, and recipients that get no more mail.

create table delivery_events (
  no bigint generated always as identity primary key,
  provider text collate "C" not null,
  event_id text collate "C" not null,
  -- Of the whole event as it was sent.
  digest text not null,
  state text not null check (state in ('delivered', 'bounced', 'complained', 'unsubscribed')),
  message_id text,
  integration_id text,
  -- Recipients themselves are not stored.
  recipient_digest text,
  occurred_at_ms bigint,
  reason text,
  -- JSON, redacted.
  payload text not null,
  received_at_ms bigint not null,
  unique (provider, event_id)
);

-- Finds those that are old enough to go.
create index delivery_events_by_time on delivery_events (received_at_ms);

create table suppressions (
  no bigint generated always as identity primary key,
  recipient_digest text collate "C" not null unique,
  state text not null check (state in ('bounced', 'complained', 'unsubscribed')),
  provider text not null,
  event_id text not null,
  at_ms bigint not null
);
