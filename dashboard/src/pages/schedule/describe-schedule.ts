import { formatExact } from '../../kit/format.ts';

const UNITS: Readonly<Record<string, string>> = { h: 'hour', m: 'minute', s: 'second' };

/** `@every 1h30m` as people say it; one moment as this browser tells times. */
export function describeSchedule(schedule: string): string {
  const [, duration] = /^@every\s+(\S+)$/.exec(schedule) ?? [];
  if (duration === undefined)
    return Number.isNaN(Date.parse(schedule)) ? schedule : `once, ${formatExact(schedule)}`;
  const parts = [...duration.matchAll(/(\d+)([hms])/g)].filter(([, count]) => count !== '0');
  const [first] = parts;
  if (first === undefined) return schedule;
  if (parts.length === 1 && first[1] === '24' && first[2] === 'h') return 'every day';
  const words = parts.map(([, count, unit = '']) => {
    const name = UNITS[unit] ?? unit;
    return count === '1' ? name : `${count} ${name}s`;
  });
  return `every ${words.join(' ')}`;
}
