-- Tokens that a provider did not report are NULL: unknown is not none.
ALTER TABLE runs ADD COLUMN tokens_in INTEGER DEFAULT 0;
ALTER TABLE runs ADD COLUMN tokens_out INTEGER DEFAULT 0;
UPDATE runs SET tokens_in = input_tokens, tokens_out = output_tokens;
ALTER TABLE runs DROP COLUMN input_tokens;
ALTER TABLE runs DROP COLUMN output_tokens;
ALTER TABLE runs RENAME COLUMN tokens_in TO input_tokens;
ALTER TABLE runs RENAME COLUMN tokens_out TO output_tokens;
