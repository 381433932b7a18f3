-- Memories as vectors.

create table memory_vectors (
  model text collate "C" not null,
  memory_id text collate "C" not null,
  dimensions bigint not null,
  -- For each piece of the text: a scale and one byte for each dimension. Empty when the model refuses the text.
  vectors bytea not null,
  primary key (model, memory_id)
);

create index memory_vectors_by_memory on memory_vectors (memory_id);

-- How far each model is, and which node embeds with it.
create table memory_embedders (
  model text collate "C" primary key,
  -- All memories up to this revision have been looked at.
  through bigint not null,
  dimensions bigint not null,
  owner text not null,
  expires_at_ms bigint not null
);

-- Vectors tell what a text said: they go with it, in the same transaction.
create function remove_memory_vectors() returns trigger language plpgsql as $$
begin
  delete from memory_vectors where memory_id = new.id;
  return null;
end
$$;

create trigger memory_vectors_go after update on memories for each row
when (new.content <> old.content or new.removed_at_ms is not null)
execute function remove_memory_vectors();
