-- Usage, budgets and the kill switch.

-- The newest one says how the switch stands; the others say who turned it before.
create table kill_switch_changes (
  no bigint primary key,
  is_on boolean not null,
  reason text not null,
  actor text not null,
  at_ms bigint not null
);

-- What may be spent. `name` and `scope` are JSON; amounts of money are picodollars as text here and below, exactly.
create table cost_budgets (
  name text collate "C" primary key,
  scope text not null,
  pico text,
  tokens bigint,
  updated_at_ms bigint not null
);

-- What was spent: of a project, an agent, a day, or of an agent in a project. `held_…` is for calls under way.
create table cost_accounts (
  name text collate "C" primary key,
  share_of text collate "C",
  agent_id text,
  agent_name text,
  pico text not null,
  tokens_in bigint not null,
  tokens_out bigint not null,
  held_pico text not null,
  held_tokens bigint not null,
  last_at_ms bigint not null,
  expires_at_ms bigint
);

create index cost_accounts_by_project on cost_accounts (share_of, name) where share_of is not null;
create index cost_accounts_by_expiry on cost_accounts (expires_at_ms) where expires_at_ms is not null;

-- How much of a run is in those accounts.
create table cost_runs (
  run_id text collate "C" primary key,
  pico text not null,
  tokens_in bigint not null,
  tokens_out bigint not null,
  lost_pico text not null,
  lost_in bigint not null,
  lost_out bigint not null,
  held_day text,
  held_pico text not null,
  held_in bigint not null,
  held_out bigint not null,
  attempts bigint not null,
  token_gaps bigint not null,
  cost_gaps bigint not null,
  closed_at_ms bigint
);

create index cost_runs_by_close on cost_runs (closed_at_ms) where closed_at_ms is not null;

-- Usage that was reported under a key, so that it counts once.
create table cost_usages (
  key text collate "C" primary key,
  digest text not null,
  expires_at_ms bigint not null
);

create index cost_usages_by_expiry on cost_usages (expires_at_ms);
