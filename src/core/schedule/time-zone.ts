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
  const offsetMinutes = Math.round(offsetMsAt(ms, timeZone) / 60_000);
  const local = new Date(ms + offsetMinutes * 60_000).toISOString().replace(/(\.000)?Z$/, '');
  if (offsetMinutes === 0) return `${local}Z`;
  const size = Math.abs(offsetMinutes);
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** By how much clocks of the zone are ahead of UTC at a moment. */
export function offsetMsAt(ms: number, timeZone: string): number {
  const secondMs = Math.floor(ms / 1000) * 1000;
  const { year, month, day, hour, minute, second } = readFields(secondMs, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - secondMs;
}

/** Of the machine that this runs on. */
export function systemTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : 'UTC';
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

export function readFields(ms: number, timeZone: string): Record<Field, number> {
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
