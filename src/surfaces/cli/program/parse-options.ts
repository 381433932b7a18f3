import { parseArgs } from 'node:util';
import { defined } from '../../../core/defined.ts';
import type { OptionSpec, OptionSpecs } from './command.ts';
import { parseError } from './errors.ts';

type Token = NonNullable<ReturnType<typeof tokenize>>[number];
export type Suggest = (name: string, known: readonly string[]) => Promise<string | undefined>;

/** The command line cut into options and words. Nothing is refused yet: what is known depends on the command. */
export function tokenize(argv: readonly string[], specs: OptionSpecs) {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, spec]) => [
      name,
      {
        type: spec.kind === 'flag' ? ('boolean' as const) : ('string' as const),
        ...('short' in spec ? defined({ short: spec.short }) : {}),
      },
    ]),
  );
  const config = { options, strict: false, allowPositionals: true, tokens: true } as const;
  return parseArgs({ ...config, args: [...argv] }).tokens;
}

export type OptionValue = boolean | number | string | readonly string[] | undefined;

/** Of an option that may be repeated. */
const MAX_REPEATS = 200;

/**
 * Reads the options among the tokens; the first that is unknown or wrong is refused. The last of several wins, except
 * where all of them count.
 */
export async function readOptions(
  tokens: readonly Token[],
  specs: OptionSpecs,
  at: { readonly command: string; readonly suggest: Suggest },
): Promise<Record<string, OptionValue>> {
  const values: Record<string, OptionValue> = {};
  for (const [name, spec] of Object.entries(specs)) {
    values[name] = ABSENT[spec.kind];
  }
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (spec === undefined) {
      const closest = await at.suggest(token.name, Object.keys(specs));
      throw parseError(`unknown option ${token.rawName}`, {
        target: at.command,
        hint:
          closest === undefined
            ? `claw help ${at.command} lists the options`.replace(' <missing>', '')
            : `did you mean --${closest}?`,
      });
    }
    const value = readValue(token, spec, at.command);
    values[token.name] =
      spec.kind === 'list' ? addTo(values[token.name], String(value), at.command) : value;
  }
  return values;
}

const ABSENT = {
  flag: false,
  list: [],
  text: undefined,
  choice: undefined,
  number: undefined,
} as const satisfies Record<OptionSpec['kind'], OptionValue>;

function addTo(list: OptionValue, value: string, command: string): readonly string[] {
  const values = Array.isArray(list) ? list : [];
  if (values.length < MAX_REPEATS) return [...values, value];
  throw parseError(`an option is given more than ${MAX_REPEATS} times`, { target: command });
}

function readValue(
  token: Extract<Token, { kind: 'option' }>,
  spec: OptionSpec,
  command: string,
): OptionValue {
  const { rawName, value, inlineValue } = token;
  const refuse = (problem: string, hint?: string) =>
    parseError(`option ${rawName} ${problem}`, { target: command, hint });
  if (spec.kind === 'flag') {
    if (value !== undefined) throw refuse('takes no value');
    return true;
  }
  if (value === undefined) throw refuse(`needs a value: ${rawName} ${spec.value}`);
  const isNegative = spec.kind === 'number' && spec.min < 0 && /^-\d/.test(value);
  if (inlineValue !== true && value.startsWith('-') && value !== '-' && !isNegative) {
    throw refuse(
      `needs a value: ${rawName} ${spec.value}`,
      `write ${rawName}=${value} if you meant that`,
    );
  }
  switch (spec.kind) {
    case 'text':
    case 'list':
      if (value === '') throw refuse('must not be empty');
      return value;
    case 'choice':
      if (!spec.choices.includes(value)) {
        throw refuse(`must be ${spec.choices.join(', ')} (it is ${JSON.stringify(value)})`);
      }
      return value;
    case 'number':
      return readNumber(value, spec, refuse);
  }
}

function readNumber(
  value: string,
  spec: Extract<OptionSpec, { kind: 'number' }>,
  refuse: (problem: string) => Error,
): number {
  const pattern = spec.isWhole ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,6})?$/;
  const number = pattern.test(value) ? Number(value) : Number.NaN;
  if (number >= spec.min && number <= spec.max) return number;
  const what = spec.isWhole ? 'a whole number' : 'a number';
  throw refuse(`must be ${what} from ${spec.min} to ${spec.max} (it is ${JSON.stringify(value)})`);
}
