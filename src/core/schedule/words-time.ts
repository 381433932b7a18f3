import type { TimeOfDay } from './next-local-time.ts';

const TIME = /^(\d{1,2})(?::(\d{2}))?\s*(a\.?m\.?|p\.?m\.?|h)?$/;

/** `9`, `9am`, `9:30 pm`, `18:00`, `noon`, `midnight`; undefined for anything else. */
export function readTimeOfDay(text: string): TimeOfDay | undefined {
  const word = text.trim();
  if (word === 'noon') return { hour: 12, minute: 0 };
  if (word === 'midnight') return { hour: 0, minute: 0 };
  const [match, hours, minutes = '0', half] = TIME.exec(word) ?? [];
  if (match === undefined) return undefined;
  const hour = toHour(Number(hours), half?.[0]);
  const minute = Number(minutes);
  return hour === undefined || minute > 59 ? undefined : { hour, minute };
}

/** 12 am is midnight, and 12 pm noon. */
function toHour(hour: number, half: string | undefined): number | undefined {
  if (half !== 'a' && half !== 'p') return hour > 23 ? undefined : hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}
