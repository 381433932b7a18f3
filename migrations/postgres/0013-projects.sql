-- What runs belong to: a name of the caller's. NULL for most runs, which the index then costs nothing.
ALTER TABLE runs ADD COLUMN project_id TEXT;

CREATE INDEX runs_by_project ON runs (project_id, status, created_at_ms, id) WHERE project_id IS NOT NULL;
