-- Both engines have the same tables and columns; `test/conformance/schema.test.ts` lists where they differ, and why.
-- Ids compare by byte, as they do in every other engine. Times are integer milliseconds since the epoch, because event
-- hashes cover them. Texts that come from outside are JSON strings: PostgreSQL text can't hold NUL.

create table agents (
  id text collate "C" primary key,
  name text not null,
  role text not null,
  model text,
  instructions text not null,
  created_at_ms bigint not null
);

create table capabilities (
  agent_id text collate "C" not null,
  tool text collate "C" not null,
  effect text not null check (effect in ('grant', 'revoke')),
  changed_by text not null,
  at_ms bigint not null,
  primary key (agent_id, tool)
);

create table tool_pins (
  server text collate "C" not null,
  tool text collate "C" not null,
  -- JSON: the pin without these two.
  pin text not null,
  primary key (server, tool)
);
