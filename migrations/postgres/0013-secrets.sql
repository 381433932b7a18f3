-- The secrets that all nodes share: one document, sealed with a master key that is not in the database.
create table secret_document (
  is_only boolean primary key default true check (is_only),
  -- Moves on with every change.
  revision bigint not null,
  -- JSON: names, dates and ciphertexts.
  document text not null
);
