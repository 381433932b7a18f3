-- Finds delivered mail that is old enough to go.
create index mail_delivered on mail (delivered_at_ms) where delivered_at_ms is not null;
