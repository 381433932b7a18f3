-- Specs of tools and skills, and releases of skills. Documents are JSON; rules about them are the core's.

CREATE TABLE skill_specs (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  -- The same for all versions of an id: whoever made the first one.
  owner TEXT NOT NULL,
  submitted_by TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  -- Of the document. Before it, so that adding up sizes reads no document.
  bytes INTEGER NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (kind, id, version)
) STRICT;

CREATE TABLE skill_releases (
  skill_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  release_id TEXT NOT NULL,
  published_at_ms INTEGER NOT NULL,
  -- The whole release with its signature.
  document TEXT NOT NULL,
  PRIMARY KEY (skill_id, version)
) STRICT;
