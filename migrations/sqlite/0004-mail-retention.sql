-- Finds delivered mail that is old enough to go.
CREATE INDEX mail_delivered ON mail (delivered_at_ms) WHERE delivered_at_ms IS NOT NULL;
