-- Browsers that the operator signed in with.

create table sign_ins (
  id text collate "C" primary key,
  -- SHA-256: whoever reads this table is not signed in by it.
  secret_digest text collate "C" not null,
  token_tag text collate "C" not null,
  user_agent text not null,
  address text not null,
  created_at_ms bigint not null,
  last_seen_at_ms bigint not null,
  expires_at_ms bigint not null
);

create index sign_ins_by_token on sign_ins (token_tag, id);
create index sign_ins_by_expiry on sign_ins (expires_at_ms);
