import { literalWord, type Word } from './command.ts';
import { expandCommands, expandLine, type Part, programName } from './expand-command.ts';
import {
  createPlaceFinder,
  type PlaceOf,
  type WritePart,
  type WrittenPlace,
} from './written-place.ts';

/**
 * Rules are the first words of a command (`git status`, `npm run test:*`, `> build/*`); `*` in a word stands for any
 * text, and a rule of only `*` for every command.
 */
export interface CommandRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** For what no rule allows. */
  readonly otherwise: 'ask' | 'deny';
  /** Where a redirection would write. */
  readonly placeOf?: PlaceOf;
}

type VerdictReason =
  | 'rule_allow'
  | 'rule_ask'
  | 'rule_deny'
  | 'rule_may_match'
  | 'no_rule'
  | 'protected'
  | 'opaque'
  | 'empty';

export interface CommandVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny';
  readonly reason: VerdictReason;
  /** The part that decided, shortened; safe to show. */
  readonly part: string;
  readonly message: string;
}

const MAX_PART_CHARS = 200;
const SEVERITY = { allow: 0, ask: 1, deny: 2 } as const;

/** Judges a command that runs without a shell. Every part of it must pass; the strictest answer is the answer. */
export function judgeCommand(rules: CommandRules, argv: readonly string[]): CommandVerdict {
  const words = argv.map(literalWord);
  if (words.length === 0 || words[0]?.text === '') return EMPTY;
  return judgeParts(rules, expandCommands([{ words, assigned: [], writes: [] }]));
}

/** Judges a line for a shell. */
export function judgeLine(rules: CommandRules, line: string): CommandVerdict {
  return judgeParts(rules, expandLine(line));
}

const EMPTY: CommandVerdict = {
  verdict: 'deny',
  reason: 'empty',
  part: '',
  message: 'there is no command',
};

function judgeParts(rules: CommandRules, parts: readonly Part[]): CommandVerdict {
  const isUnrestricted =
    rules.allow.some(isEveryCommand) && rules.ask.length + rules.deny.length === 0;
  // With everything allowed and nothing excepted there is no rule that an unclear command could slip past.
  if (isUnrestricted && parts.length > 0) return verdict('allow', 'rule_allow', parts[0] as Part);
  let strictest: CommandVerdict | undefined;
  for (const judged of judgeEach(rules, parts)) {
    if (!strictest || SEVERITY[judged.verdict] > SEVERITY[strictest.verdict]) strictest = judged;
  }
  return strictest ?? EMPTY;
}

function judgeEach(rules: CommandRules, parts: readonly Part[]): CommandVerdict[] {
  const place = createPlaceFinder(parts, rules.placeOf);
  return parts.map((part) =>
    part.kind === 'write' ? judgeWrite(rules, part, place(part)) : judgePart(rules, part),
  );
}

/** A file inside the workspace is the command's own affair; any other target needs a rule such as `> /tmp/*`. */
function judgeWrite(rules: CommandRules, part: WritePart, place: WrittenPlace): CommandVerdict {
  if (place.kind === 'protected') return verdict('deny', 'protected', part);
  const needsRule = !part.hasCommand || place.kind === 'outside';
  return judgePart(rules, { kind: 'command', words: part.words, needsRule }, place);
}

type Judged = Exclude<Part, WritePart>;

/** What a part may be called: for rules that allow, and for the others. */
type Spellings = Pick<WrittenPlace, 'exact' | 'any'>;

function judgePart(
  rules: CommandRules,
  part: Judged,
  spellings: Spellings = { exact: [part.words], any: [part.words] },
): CommandVerdict {
  const denied = matchAny(rules.deny, spellings);
  if (denied === 'yes') return verdict('deny', 'rule_deny', part);
  if (part.kind === 'opaque') return verdict(judgeOpaque(rules), 'opaque', part);
  // What only starts another part is no command of its own to be asked about: that part is.
  const ask = part.needsRule ? rules.ask : rules.ask.filter((rule) => !isEveryCommand(rule));
  const asked = matchAny(ask, spellings);
  if (asked === 'yes' && isAnswered(rules, spellings)) return verdict('allow', 'rule_allow', part);
  if (asked === 'yes') return verdict('ask', 'rule_ask', part);
  if (part.needsRule && !rules.allow.some((rule) => isAllowed(rule, spellings))) {
    return verdict(rules.otherwise, 'no_rule', part);
  }
  if (denied === 'maybe' || asked === 'maybe') return verdict('ask', 'rule_may_match', part);
  return verdict('allow', 'rule_allow', part);
}

function isAllowed(rule: string, { exact }: Spellings): boolean {
  return exact.some((words) => isAllowedBy(rule, words));
}

/** A person may judge what rules can't; but whatever may never run could hide in there, and would look like a choice. */
function judgeOpaque({ ask, deny, otherwise }: CommandRules): 'ask' | 'deny' {
  return deny.length === 0 && ask.some(isEveryCommand) ? 'ask' : otherwise;
}

function isEveryCommand(rule: string): boolean {
  return rule.trim() === '*';
}

/** Allowing is exact: the rule's words are the command's first words, as written. */
function isAllowedBy(rule: string, words: readonly Word[]): boolean {
  if (isEveryCommand(rule)) return true;
  const tokens = toTokens(rule);
  return (
    tokens.length > 0 &&
    tokens.every((token, index) => {
      const word = words[index];
      return word?.isLiteral === true && matchesToken(token, word.text);
    })
  );
}

/**
 * Whether a rule allows exactly this, and says more words than each of those that ask about it, theirs among them.
 * Whatever names a word says more than a question about every command.
 */
function isAnswered({ allow, ask }: CommandRules, spellings: Spellings): boolean {
  const asking = ask.filter((one) => matchAny([one], spellings) === 'yes' && !isEveryCommand(one));
  return allow.some((rule) => {
    if (countNamed(rule) === 0 || !isAllowed(rule, spellings)) return false;
    if (asking.length === 0) return true;
    const tokens = toTokens(rule);
    const narrow = tokens.map(literalWord);
    return (
      !rule.includes('*') &&
      asking.every((one) => countNamed(one) < tokens.length && match([one], narrow) === 'yes')
    );
  });
}

/** A word that stands for any text names nothing. */
function countNamed(rule: string): number {
  return toTokens(rule).filter((token) => token !== '*').length;
}

/**
 * The rules that would allow the parts of a command which are asked about now, word by word. Undefined when there are
 * none, or when words can't be written as a rule.
 */
export function findAnswers(rules: CommandRules, argv: readonly string[]): string[] | undefined {
  const parts = expandCommands([{ words: argv.map(literalWord), assigned: [], writes: [] }]);
  const judged = judgeEach(rules, parts);
  const place = createPlaceFinder(parts, rules.placeOf);
  const asked = parts
    .filter((_, index) => judged[index]?.verdict === 'ask')
    .map((part) => (part.kind === 'write' ? (place(part).exact[0] ?? part.words) : part.words));
  const isPlain = ({ isLiteral, text }: Word) => isLiteral && /^[^\s*]+$/.test(text);
  if (asked.length === 0 || !asked.every((words) => words.every(isPlain))) return undefined;
  const answers = asked.map((words) => words.map(({ text }) => text).join(' '));
  const answered = judgeCommand({ ...rules, allow: [...rules.allow, ...answers] }, argv);
  return answered.verdict === 'allow' ? [...new Set(answers)] : undefined;
}

/**
 * Denying and asking reach further: the program by any path, the other words anywhere after it. An option in front of
 * a subcommand must not be a way around a rule.
 */
function match(rules: readonly string[], words: readonly Word[]): 'yes' | 'maybe' | 'no' {
  let best: 'maybe' | 'no' = 'no';
  for (const rule of rules) {
    const [program = '', ...rest] = toTokens(rule);
    const [name, ...args] = words;
    if (program === '' || name === undefined) continue;
    if (!matchesToken(program, name.text) && !matchesToken(program, programName(name.text)))
      continue;
    let at = 0;
    for (const word of args) {
      const token = rest[at];
      if (token === undefined) break;
      if (word.isLiteral && matchesToken(token, word.text)) at += 1;
    }
    if (at === rest.length) return 'yes';
    if (args.some((word) => !word.isLiteral)) best = 'maybe';
  }
  return best;
}

function matchAny(rules: readonly string[], { any }: Spellings): 'yes' | 'maybe' | 'no' {
  const found = any.map((words) => match(rules, words));
  return found.find((one) => one === 'yes') ?? found.find((one) => one === 'maybe') ?? 'no';
}

function toTokens(rule: string): readonly string[] {
  return rule.split(/\s+/).filter((token) => token !== '');
}

function matchesToken(token: string, text: string): boolean {
  if (!token.includes('*')) return token === text;
  const pattern = token.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(text);
}

function verdict(
  decision: CommandVerdict['verdict'],
  reason: VerdictReason,
  part: Part,
): CommandVerdict {
  const text = part.words.map((word) => word.text).join(' ');
  const shown = (text.length > MAX_PART_CHARS ? `${text.slice(0, MAX_PART_CHARS)}…` : text).replace(
    /\p{Cc}/gu,
    ' ',
  );
  const why = part.kind === 'opaque' ? part.reason : MESSAGES[reason];
  return { verdict: decision, reason, part: shown, message: `${shown}: ${why}` };
}

const MESSAGES: Readonly<Record<VerdictReason, string>> = {
  rule_allow: 'a rule allows it',
  rule_ask: 'a rule asks for an approval',
  rule_deny: 'a rule denies it',
  rule_may_match: 'it may turn into something that a rule excepts',
  no_rule: 'no rule allows it',
  protected: 'what lies there is not for commands to write',
  opaque: 'what it runs is not known',
  empty: 'there is no command',
};
