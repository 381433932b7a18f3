const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\\.?`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '((?:19|20)\\d{2})';
const DAY_MS = 86_400_000;

/** A day, a month or a year that a question names. */
export interface NamedDate {
  readonly year: number | undefined;
  /** 0 to 11. */
  readonly month: number | undefined;
  readonly day: number | undefined;
}

const ISO = new RegExp(`\\b${YEAR}-(\\d{2})(?:-(\\d{2}))?\\b`, 'g');
const DAY_FIRST = new RegExp(`\\b${DAY}(?:\\s+of)?\\s+${MONTH}(?:,?\\s+${YEAR})?\\b`, 'gi');
const MONTH_FIRST = new RegExp(`\\b${MONTH}\\s+${DAY}(?!\\d)(?:,?\\s+${YEAR})?\\b`, 'gi');
const MONTH_ONLY = new RegExp(`\\b${MONTH}(?:,?\\s+(?:of\\s+)?${YEAR})?\\b`, 'gi');
const YEAR_ONLY = new RegExp(`\\b${YEAR}\\b`, 'g');

/** Dates in the words of a question. `may` alone is a verb; `in May` and `May 2023` are not. */
export function findDates(text: string, nowMs: number): NamedDate[] {
  const found: NamedDate[] = [];
  let rest = text;
  const take = (pattern: RegExp, read: (groups: readonly string[]) => NamedDate | undefined) => {
    rest = rest.replace(pattern, (...match: unknown[]) => {
      const date = read(match.map((part) => (typeof part === 'string' ? part : '')));
      if (date) found.push(date);
      return date ? ' ' : String(match[0]);
    });
  };
  take(ISO, ([, year, month, day]) => toDate(year, Number(month) - 1, day));
  take(DAY_FIRST, ([, day, month, year]) => toDate(year, toMonth(month), day));
  take(MONTH_FIRST, ([, month, day, year]) => toDate(year, toMonth(month), day));
  take(MONTH_ONLY, ([whole, month, year]) =>
    year || isMonthIn(text, whole ?? '') ? toDate(year, toMonth(month), undefined) : undefined,
  );
  take(YEAR_ONLY, ([, year]) => toDate(year, undefined, undefined));
  return [...found, ...findRelative(text, nowMs)];
}

/** A month's short name is a word of its own at times: it counts when it is long, or said as a time. */
function isMonthIn(text: string, name: string): boolean {
  const escaped = name.replace(/\W/g, '');
  if (escaped.length > 3 && !/^march$/i.test(escaped)) return true;
  return new RegExp(
    `\\b(?:in|of|since|until|during|last|this|early|late|mid|by)[\\s-]+${escaped}\\b`,
    'i',
  ).test(text);
}

function findRelative(text: string, nowMs: number): NamedDate[] {
  const days = /\b(today|yesterday)\b/i.exec(text)?.[1]?.toLowerCase();
  if (days === undefined) return [];
  const date = new Date(nowMs - (days === 'yesterday' ? DAY_MS : 0));
  return [{ year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() }];
}

function toMonth(name: string | undefined): number | undefined {
  const start = (name ?? '').slice(0, 3).toLowerCase();
  const month = MONTHS.findIndex((known) => known.startsWith(start));
  return start === '' || month < 0 ? undefined : month;
}

function toDate(
  year: string | undefined,
  month: number | undefined,
  day: string | undefined,
): NamedDate | undefined {
  const dayNumber = day ? Number(day) : undefined;
  if (dayNumber !== undefined && (dayNumber < 1 || dayNumber > 31)) return undefined;
  if (month !== undefined && !(month >= 0 && month <= 11)) return undefined;
  return { year: year ? Number(year) : undefined, month, day: dayNumber };
}

/** How well a time fits the dates of a question: the same month (and year), and close to a day. */
export function matchDates(
  dates: readonly NamedDate[],
  timestampMs: number,
): { readonly month: number; readonly day: number } {
  let month = 0;
  let day = 0;
  const date = new Date(timestampMs);
  if (Number.isNaN(date.getTime())) return { month, day };
  for (const named of dates) {
    const isYear = named.year === undefined || named.year === date.getUTCFullYear();
    if (named.month === undefined) {
      if (isYear) month = Math.max(month, 0.5);
    } else if (isYear && named.month === date.getUTCMonth()) month = 1;
    if (named.day !== undefined) day = Math.max(day, closeness(named, date));
  }
  return { month, day };
}

/** Told the day after as a rule: full marks from the day itself to two days later, fading within a fortnight. */
function closeness({ year, month, day }: NamedDate, date: Date): number {
  const at = Date.UTC(year ?? date.getUTCFullYear(), month ?? date.getUTCMonth(), day);
  const days = Math.floor(date.getTime() / DAY_MS) - at / DAY_MS;
  return Math.exp(-Math.max(0, Math.abs(days - 1) - 1) / 5);
}
