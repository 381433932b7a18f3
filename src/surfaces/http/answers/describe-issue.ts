import type { core } from 'zod';

/** Where in a request a value stands, for the words of a message. */
export type RequestPart = 'body' | 'querystring' | 'params' | 'headers';

const UNKNOWN_KEY: Readonly<Record<RequestPart, string>> = {
  body: 'unknown field',
  querystring: 'unknown query parameter',
  params: 'unknown path parameter',
  headers: 'unknown header',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
};

/** Names that callers make up are as long as they like. */
const MAX_ECHOED_CHARS = 100;

/** One sentence that names the field and says what is wrong with it, without repeating its value. */
export function describeIssue(issue: core.$ZodIssue, part: RequestPart, input: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const name = [...issue.path, issue.keys[0]].join('.');
    return `${UNKNOWN_KEY[part]}: ${name.slice(0, MAX_ECHOED_CHARS)}`;
  }
  const value = valueAt(input, issue.path);
  // A rule about the members together says itself what is wrong.
  if (issue.path.length === 0 && hasOwnWords(issue) && part === 'body') {
    return `request body ${issue.message}`;
  }
  if (issue.path.length === 0) return describeWhole(part, value);
  const field = issue.path.join('.');
  if (value === undefined) return `${field} is required`;
  if (part === 'querystring' && Array.isArray(value)) return `${field} must be given once`;
  return `${field} ${describeRule(issue)}`;
}

function hasOwnWords({ code, message }: core.$ZodIssue): boolean {
  return code === 'custom' && !message.startsWith('Invalid input');
}

function describeWhole(part: RequestPart, value: unknown): string {
  if (part !== 'body') return `${part} is not valid`;
  return value === null || value === undefined
    ? 'request body is required'
    : 'request body must be a JSON object';
}

/** A schema's own words win over ours. */
function describeRule(issue: core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid input')) return issue.message;
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    default:
      return issue.message;
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
