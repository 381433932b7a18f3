-- Personalities, skills, memory scopes and states of agents.

create table agent_profiles (
  id text collate "C" primary key,
  slug text collate "C" not null unique,
  name text not null,
  role text not null,
  model text,
  instructions text not null,
  personality_template text,
  voice_id text,
  -- JSON: names.
  skills text not null,
  memory_access text not null check (memory_access in ('global', 'private')),
  status text not null check (status in ('idle', 'busy', 'sleeping')),
  created_at_ms bigint not null,
  updated_at_ms bigint not null
);

-- An id in lower case is its slug, unless another id differs from it in nothing else.
insert into agent_profiles
select
  id,
  case when exists (select 1 from agents as other where lower(other.id) = lower(agents.id) and other.id < agents.id)
    then substr(lower(id), 1, 47) || '-' || substr(md5(id), 1, 8) else lower(id) end,
  name, role, model, instructions, null, null, '[]',
  case id when 'agent_default' then 'global' else 'private' end,
  'idle', created_at_ms, created_at_ms
from agents;

drop table agents;
alter table agent_profiles rename to agents;
alter index agent_profiles_pkey rename to agents_pkey;
alter index agent_profiles_slug_key rename to agents_slug_key;

create index agents_asleep on agents (id) where status = 'sleeping';

-- Set while the run waits in the queue for its agent to wake up: nobody who claims has to look through those.
alter table runs add column is_held boolean not null default false;

drop index runs_claimable;
create index runs_claimable on runs (created_at_ms, id)
  where status in ('queued', 'running', 'cancelling') and not is_held;
create index runs_held on runs (agent_id) where is_held;
