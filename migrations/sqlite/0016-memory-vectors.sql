-- Memories as vectors.

-- Has a rowid: the vectors are large, and counting goes along the index of the key alone.
CREATE TABLE memory_vectors (
  model TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  -- For each piece of the text: a scale and one byte for each dimension. Empty when the model refuses the text.
  vectors BLOB NOT NULL,
  PRIMARY KEY (model, memory_id)
) STRICT;

CREATE INDEX memory_vectors_by_memory ON memory_vectors (memory_id);

-- How far each model is, and which node embeds with it.
CREATE TABLE memory_embedders (
  model TEXT PRIMARY KEY,
  -- All memories up to this revision have been looked at.
  through INTEGER NOT NULL,
  dimensions INTEGER NOT NULL,
  owner TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Vectors tell what a text said: they go with it, in the same transaction.
CREATE TRIGGER memory_vectors_go AFTER UPDATE ON memories
WHEN NEW.content <> OLD.content OR NEW.removed_at_ms IS NOT NULL
BEGIN
  DELETE FROM memory_vectors WHERE memory_id = NEW.id;
END;
