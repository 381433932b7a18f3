import { findQuoted } from './spoken-name.ts';
import { call, say, type Understand, type Wish } from './wish.ts';

const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  'half a': 0.5,
  'half an': 0.5,
};
/** How long one is, in the units of a schedule. */
const UNITS = { s: [1, 's'], m: [1, 'm'], h: [1, 'h'], d: [24, 'h'], w: [168, 'h'] } as const;
const SMALLER: Readonly<Record<string, readonly [factor: number, unit: string]>> = {
  m: [60, 's'],
  h: [60, 'm'],
};

const AMOUNT = `(\\d{1,6}|half\\s+an?|${Object.keys(NUMBERS)
  .filter((word) => !word.includes(' '))
  .join('|')})`;
const UNIT = '(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)';
const LENGTH = `${AMOUNT}\\s*${UNIT}`;
const IN_FRONT = new RegExp(`^in\\s+${LENGTH}\\b[,:]?\\s*`, 'i');
const IN_BEHIND = new RegExp(`\\s+in\\s+${LENGTH}$`, 'i');
const EVERY_FRONT = new RegExp(`^every\\s+(?:${AMOUNT}\\s*)?${UNIT}\\b[,:]?\\s*`, 'i');
const EVERY_BEHIND = new RegExp(`\\s+every\\s+(?:${AMOUNT}\\s*)?${UNIT}$`, 'i');
const OTHER_TIME =
  /\b(?:tomorrow|tonight|today|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next\s+(?:week|month)|at\s+\d{1,2}(?::\d{2})?|at\s+(?:noon|midnight)|o'clock)\b/i;

const OTHER_TIME_TEXT =
  'I understand "in 5 minutes" and "every 2 hours". For a time of day use: claw schedule add --at 09:00 [--daily] --message "…"';

/** Reminders, and requests that are to be made later or over and over. */
export const understandSchedule: Understand = ({ bare }) => {
  if (/^reminder:\s/i.test(bare)) return say(bare);
  const asked = /^remind\s+(?:me|us)\b\s*(.*)$/i.exec(bare)?.[1];
  if (asked !== undefined) return remind(asked);
  const timed = findTime(bare, [IN_FRONT, EVERY_FRONT]);
  if (timed && timed.rest !== '') {
    const what = /^remind\s+(?:me|us)\b\s*(.*)$/i.exec(timed.rest)?.[1];
    return what === undefined ? add(timed.schedule, timed.rest) : addReminder(timed.schedule, what);
  }
  const planned = /^(?:schedule|run|repeat)\s+(.+)$/i.exec(bare)?.[1] ?? '';
  const behind = findTime(planned, [EVERY_BEHIND, IN_BEHIND]);
  return behind ? add(behind.schedule, findQuoted(behind.rest) ?? behind.rest) : undefined;
};

function remind(asked: string): Wish {
  const timed = findTime(asked, [IN_FRONT, EVERY_FRONT, IN_BEHIND, EVERY_BEHIND]);
  if (OTHER_TIME.test(timed?.rest ?? asked)) return say(OTHER_TIME_TEXT);
  if (!timed) return say(`When should I remind you? ${OTHER_TIME_TEXT}`);
  return addReminder(timed.schedule, timed.rest);
}

function addReminder(schedule: string, given: string): Wish {
  const what = given.replace(/^(?:to|that|about|of)\s+/i, '').trim();
  if (what === '')
    return say('Of what should I remind you? As in: remind me in 5 minutes to stretch');
  return add(schedule, `Reminder: ${what}`);
}

function add(schedule: string, message: string): Wish {
  if (OTHER_TIME.test(message) && !message.startsWith('Reminder:')) return say(OTHER_TIME_TEXT);
  return call('scheduler.add', { schedule, message });
}

function findTime(
  text: string,
  patterns: readonly RegExp[],
): { readonly schedule: string; readonly rest: string } | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    const length = found && toLength(found[1] ?? 'one', found[2] ?? '');
    if (!found || length === undefined) continue;
    const kind = /^\s*every/i.test(found[0]) ? '@every' : '@in';
    return { schedule: `${kind} ${length}`, rest: text.replace(pattern, '').trim() };
  }
  return undefined;
}

/** `2h` of `two hours`; undefined for none at all. */
function toLength(amount: string, unit: string): string | undefined {
  const words = amount.toLowerCase().replace(/\s+/g, ' ');
  const count = NUMBERS[words] ?? Number(words);
  const [factor, name] = UNITS[unit.slice(0, 1).toLowerCase() as keyof typeof UNITS];
  const total = count * factor;
  if (!(total > 0)) return undefined;
  if (Number.isInteger(total)) return `${total}${name}`;
  const [smaller, smallerName] = SMALLER[name] ?? [1, name];
  return `${Math.max(1, Math.round(total * smaller))}${smallerName}`;
}

const LIST_JOBS =
  /^(?:(?:list|show|give|what|which|see)\s+(?:me\s+)?(?:(?:all|the|my|are|of)\s+)*(?:scheduled\s+)?(?:jobs?|reminders?|schedules?)(?:\s+(?:are|is|do)\b.*)?|what(?:'s|\s+is)\s+(?:scheduled|on\s+(?:my|the)\s+schedule))$/i;
const CHANGE_JOB =
  /^(remove|delete|cancel|stop|pause|resume)\s+(?:the\s+|my\s+)?(?:job|reminder|schedule)\s+["'`]?([A-Za-z0-9_-]{1,64})["'`]?$/i;

export const understandJobs: Understand = ({ bare }) => {
  if (LIST_JOBS.test(bare)) return call('scheduler.list', {});
  const [, verb = '', id = ''] = CHANGE_JOB.exec(bare) ?? [];
  if (id === '') return undefined;
  const action = /^(?:pause|resume)$/i.test(verb) ? verb.toLowerCase() : 'remove';
  return call(`scheduler.${action}`, { id });
};
