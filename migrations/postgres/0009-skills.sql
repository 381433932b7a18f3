-- Specs of tools and skills, and releases of skills. Documents are JSON; rules about them are the core's.

create table skill_specs (
  kind text not null check (kind in ('tool', 'skill')),
  id text collate "C" not null,
  version bigint not null,
  state text not null check (state in ('draft', 'validated', 'published', 'deprecated')),
  content_hash text not null,
  -- The same for all versions of an id: whoever made the first one.
  owner text not null,
  submitted_by text not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  -- Of the document.
  bytes bigint not null,
  document text not null,
  primary key (kind, id, version)
);

create table skill_releases (
  skill_id text collate "C" not null,
  version bigint not null,
  release_id text not null,
  published_at_ms bigint not null,
  -- The whole release with its signature.
  document text not null,
  primary key (skill_id, version)
);
