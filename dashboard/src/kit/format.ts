/** Figures as people read them. `undefined` and `null`: not known, which is not nothing. */
const UNKNOWN = '–';

type Maybe = number | null | undefined;

export function formatCount(value: Maybe): string {
  if (value === null || value === undefined) return UNKNOWN;
  return value.toLocaleString('en');
}

/** 1,234 · 56.7 k · 1.2 M */
export function formatShort(value: Maybe): string {
  if (value === null || value === undefined) return UNKNOWN;
  if (Math.abs(value) < 10_000) return value.toLocaleString('en');
  const [scaled, unit] = value < 1_000_000 ? [value / 1_000, 'k'] : [value / 1_000_000, 'M'];
  return `${scaled.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}

/** Small sums keep their digits: a turn may cost a hundredth of a cent. */
export function formatMoney(usd: Maybe): string {
  if (usd === null || usd === undefined) return UNKNOWN;
  if (usd === 0) return '$0';
  const digits = Math.abs(usd) >= 1 ? 2 : Math.abs(usd) >= 0.01 ? 3 : 5;
  return `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

export function formatDuration(ms: Maybe): string {
  if (ms === null || ms === undefined) return UNKNOWN;
  if (ms < 1) return '< 1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days ${hours % 24} h`;
}

export function formatBytes(bytes: Maybe): string {
  if (bytes === null || bytes === undefined) return UNKNOWN;
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How exactly the server's clock is known here: it tells whole seconds, and its answer is under way for a while. */
const CLOCK_DOUBT_MS = 1_500;

/** `5 minutes ago`, `in 2 hours`, `just now`. */
export function formatRelative(atMs: number, nowMs: number): string {
  const difference = atMs - nowMs;
  for (const [unit, ms] of STEPS) {
    if (Math.abs(difference) >= ms) return RELATIVE.format(Math.trunc(difference / ms), unit);
  }
  if (Math.abs(difference) < 10_000)
    return difference > CLOCK_DOUBT_MS ? 'in a moment' : 'just now';
  return RELATIVE.format(Math.trunc(difference / 1_000), 'second');
}

const EXACT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'long',
});

export function formatExact(at: string | number): string {
  return EXACT.format(new Date(at));
}

/** A moment as a form has it, in the time of this place; a day alone is its beginning. As it is when it is none. */
export function toInstant(local: string): string {
  const ms = Date.parse(/^\d{4}-\d\d-\d\d$/.test(local) ? `${local}T00:00` : local);
  return Number.isNaN(ms) ? local : new Date(ms).toISOString();
}
