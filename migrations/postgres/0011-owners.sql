-- Whose things are: the JSON text of a principal, such as "user:42". Null stands for the operator where lists for a
-- principal are all that asks: what is the operator's then costs no index.
alter table runs rename column thread_owner to owner;
create index runs_by_owner on runs (owner, created_at_ms, id) where owner is not null;

alter table sessions add column owner text;
update sessions set owner = user_id where channel = '"thread"';
create index sessions_by_owner on sessions (owner, updated_at_ms, id) where owner is not null;

alter table jobs add column owner text;
create index jobs_by_owner on jobs (owner, id) where owner is not null;

-- An inbox is that of an agent and an owner.
alter table mail add column owner text not null default '"operator"';
drop index mail_undelivered;
create index mail_undelivered on mail (receiver, owner, no) where delivered_at_ms is null;

-- The same for all versions of an id: whoever made the first one.
alter table skill_specs add column owner text not null default '"operator"';
update skill_specs set owner = (
  select earliest.submitted_by from skill_specs earliest
  where earliest.kind = skill_specs.kind and earliest.id = skill_specs.id
  order by earliest.created_at_ms, earliest.version limit 1
);
