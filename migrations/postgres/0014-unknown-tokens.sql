-- Tokens that a provider did not report are null: unknown is not none.
alter table runs alter column input_tokens drop not null;
alter table runs alter column output_tokens drop not null;
