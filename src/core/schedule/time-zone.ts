/** No IANA name comes near it. */
const MAX_ZONE_CHARS = 64;

/** A name of the IANA data base. Bare offsets are not: they say nothing about summer time. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_ZONE_CHARS || !/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** RFC 3339 with the offset that the zone has at that moment. */
export function toZonedIso(ms: number, timeZone: string): string {
  const seconds = Math.floor(ms / 1000);
  const fields = readFields(seconds * 1000, timeZone);
  const { year, month, day, hour, minute, second } = fields;
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second);
  const offsetMinutes = Math.round((asUtcMs - seconds * 1000) / 60_000);
  const local = new Date(ms + offsetMinutes * 60_000).toISOString().replace(/(\.000)?Z$/, '');
  if (offsetMinutes === 0) return `${local}Z`;
  const size = Math.abs(offsetMinutes);
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function readFields(ms: number, timeZone: string): Record<Field, number> {
  const fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  for (const { type, value } of format.formatToParts(ms)) {
    if (type in fields) fields[type as Field] = Number(value);
  }
  return fields;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
