-- Mail between agents. `no` counts up within an inbox, because mail is added under the inbox's lock. An inbox is that
-- of an agent and an owner.
create table mail (
  no bigint generated always as identity primary key,
  id text collate "C" not null unique,
  -- A digest.
  key text not null unique,
  owner text not null,
  sender text not null,
  receiver text collate "C" not null,
  subject text not null,
  task_id text not null,
  body text not null,
  run_id text,
  sent_at_ms bigint not null,
  delivered_at_ms bigint,
  -- A digest of the key of the call that took it.
  taken_by text
);

create index mail_by_receiver on mail (receiver, no);
create index mail_undelivered on mail (receiver, owner, no) where delivered_at_ms is null;
create index mail_by_taker on mail (receiver, taken_by, no) where taken_by is not null;
-- Finds delivered mail that is old enough to go.
create index mail_delivered on mail (delivered_at_ms) where delivered_at_ms is not null;
