import type { z } from 'zod';
import { RuntimeError } from '../core/errors.ts';
import { findClosestName } from '../core/find-closest-name.ts';
import { findField, findNamesBelow } from './schema/schema-fields.ts';

/** One thing that is wrong with a setting, and what to do about it. */
export interface ConfigProblem {
  readonly field: string;
  readonly problem: string;
  readonly fix: string;
}

type Issue = z.core.$ZodIssue;

const MAX_PROBLEMS = 20;
const MAX_SHOWN_CHARS = 60;

/** Values of these fields may hold a secret even when they are wrong. So may anything about MCP servers. */
const UNSHOWN = new Set(['api_key', 'base_url']);

export function toProblems(issues: readonly Issue[], input: unknown): ConfigProblem[] {
  return issues.flatMap((issue) => describeIssue(issue, input)).slice(0, MAX_PROBLEMS);
}

export function inFile(path: string) {
  return { text: `config file ${path}`, details: { file: path } };
}

/** `where` is what an operator has to open: a file, a variable or a flag. */
export function configInvalid(
  where: { readonly text: string; readonly details: Readonly<Record<string, unknown>> },
  problems: readonly ConfigProblem[],
): RuntimeError {
  const [first, ...rest] = problems;
  const { field, problem, fix } = first ?? { field: '', problem: 'is invalid', fix: 'correct it' };
  const subject = field === '' ? where.text : `${where.text}: ${field}`;
  const more =
    rest.length === 0 ? '' : ` (${rest.length} more: ${rest.map((one) => one.field).join(', ')})`;
  return new RuntimeError('config_invalid', `${subject} ${problem}; to fix: ${fix}${more}`, {
    details: { ...where.details, field, fix, ...(rest.length === 0 ? {} : { problems }) },
  });
}

function describeIssue(issue: Issue, input: unknown): ConfigProblem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => describeUnknown(key, path));
  }
  const field = path.join('.');
  if (issue.code === 'invalid_key') {
    const reason = issue.issues[0]?.message ?? 'is not a valid name';
    return [{ field, problem: `has a name that ${reason}`, fix: 'rename or remove it' }];
  }
  const ownFix = issue.code === 'custom' ? issue.params?.['fix'] : undefined;
  // A rule between fields may fail by the default of the field it names.
  if (typeof ownFix === 'string') return [{ field, problem: issue.message, fix: ownFix }];
  const value = path.reduce<unknown>(memberOf, input);
  if (value === undefined) return [{ field, problem: 'is missing', fix: 'add it' }];
  const hidden = value === '' || UNSHOWN.has(path.at(-1) ?? '') || path[0] === 'mcpServers';
  const shown = hidden ? '' : ` (it is ${describeValue(value)})`;
  return [{ field, problem: `${describeRule(issue)}${shown}`, fix: describeFix(field) }];
}

function describeUnknown(key: string, path: readonly string[]): ConfigProblem {
  const closest = findClosestName(key, findNamesBelow(path) ?? []);
  const field = [...path, key].join('.');
  const fix =
    closest === undefined
      ? 'remove it (docs/configuration.md lists every field)'
      : `did you mean ${[...path, closest].join('.')}?`;
  return { field, problem: 'is not a known field', fix };
}

function describeRule(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    default:
      return issue.message;
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text in double quotes',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function describeFix(field: string): string {
  const defaultValue = findField(field)?.defaultValue;
  if (defaultValue === undefined) return 'correct or remove it';
  return `correct it, or remove it to use the default ${JSON.stringify(defaultValue)}`;
}
