type Rules = Readonly<Record<string, unknown>>;

export type Schema = Rules | boolean;

/** The keywords that our schemas use; any other is a mistake in the schema, not a rule that passes unseen. */
const KEYWORDS = new Set([
  '$schema',
  '$id',
  '$ref',
  '$defs',
  'title',
  'description',
  'format',
  'type',
  'const',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
]);

/**
 * Every way in which a value breaks a JSON Schema, as `$.path: problem`. Stricter than the standard: a member that
 * an object's schema does not describe is a problem, unless the schema speaks of additional ones. `allOf` counts as part
 * of the schema that says it.
 */
export function findProblems(schema: Schema, value: unknown): string[] {
  return check({ root: schema, schema, value, path: '$' });
}

interface Check {
  readonly root: Schema;
  readonly schema: Schema;
  readonly value: unknown;
  readonly path: string;
}

function check(given: Check): string[] {
  const { schema, path } = given;
  if (schema === true) return [];
  if (schema === false) return [`${path}: must not be there`];
  if (typeof schema['$ref'] === 'string') {
    return check({ ...given, schema: resolve(given.root, schema['$ref']) });
  }
  const parts = listParts(given.root, schema).map((part) => ({ ...given, schema: part }));
  return [...parts.flatMap(checkScalar), ...checkMembers(given), ...parts.flatMap(checkBranches)];
}

function resolve(root: Schema, reference: string): Schema {
  const name = /^#\/\$defs\/(.+)$/.exec(reference)?.[1] ?? '';
  const definitions = root === true || root === false ? undefined : root['$defs'];
  const found = (definitions as Record<string, Schema> | undefined)?.[name];
  if (found === undefined) throw new Error(`the schema has no ${reference}`);
  return found;
}

function checkScalar({ schema, value, path }: Check): string[] {
  const rules = schema as Rules;
  const problems: string[] = [];
  const types = [rules['type'] ?? []].flat() as string[];
  const own = typeOf(value);
  const fits = (type: string) => type === own || (type === 'number' && own === 'integer');
  if (types.length > 0 && !types.some(fits)) problems.push(`is ${own}, not ${types.join(' or ')}`);
  if ('const' in rules && value !== rules['const']) {
    problems.push(`is ${JSON.stringify(value)}, not ${JSON.stringify(rules['const'])}`);
  }
  if (Array.isArray(rules['enum']) && !rules['enum'].includes(value)) {
    problems.push(`is ${JSON.stringify(value)}, not one of ${rules['enum'].join(', ')}`);
  }
  if (typeof rules['pattern'] === 'string' && typeof value === 'string') {
    if (!new RegExp(rules['pattern'], 'u').test(value)) problems.push(`${value} does not match`);
  }
  if (typeof value === 'number') {
    if (value < ((rules['minimum'] as number | undefined) ?? value)) problems.push('is too small');
    if (value > ((rules['maximum'] as number | undefined) ?? value)) problems.push('is too large');
  }
  return problems.map((problem) => `${path}: ${problem}`);
}

/** The schemas of `allOf`, and of theirs; each checks a value alone, and members are described by all together. */
function listParts(root: Schema, schema: Schema): Rules[] {
  if (schema === true || schema === false) throw new Error('a part of a schema describes nothing');
  if (typeof schema['$ref'] === 'string') return listParts(root, resolve(root, schema['$ref']));
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
  if (unknown.length > 0) throw new Error(`the schema says ${unknown.join(', ')}`);
  const parts = (schema['allOf'] ?? []) as Schema[];
  return [schema, ...parts.flatMap((part) => listParts(root, part))];
}

function checkMembers(given: Check): string[] {
  const { root, value, path } = given;
  const rules = given.schema as Rules;
  if (Array.isArray(value) && 'items' in rules) {
    const schema = rules['items'] as Schema;
    return value.flatMap((item, at) =>
      check({ root, schema, value: item, path: `${path}[${at}]` }),
    );
  }
  if (typeOf(value) !== 'object') return [];
  const members = value as Record<string, unknown>;
  const parts = listParts(root, given.schema);
  const additional = rules['additionalProperties'] as Schema | undefined;
  const isStrict = parts.some((part) => 'properties' in part) && additional === undefined;
  const required = parts.flatMap((part) => (part['required'] ?? []) as string[]);
  const missing = [...new Set(required)].filter((name) => !(name in members));
  return [
    ...missing.map((name) => `${path}.${name}: is missing`),
    ...Object.entries(members).flatMap(([name, member]) => {
      const described = describing(parts, name);
      const schemas = described.length > 0 || additional === undefined ? described : [additional];
      if (schemas.length === 0) return isStrict ? [`${path}.${name}: is not described`] : [];
      const place = `${path}.${name}`;
      return schemas.flatMap((schema) => check({ root, schema, value: member, path: place }));
    }),
  ];
}

function describing(parts: readonly Rules[], name: string): Schema[] {
  return parts.flatMap((part) => {
    const properties = (part['properties'] ?? {}) as Record<string, Schema>;
    return Object.hasOwn(properties, name) ? [properties[name] as Schema] : [];
  });
}

function checkBranches(given: Check): string[] {
  const rules = given.schema as Rules;
  const tried = (keyword: string) =>
    ((rules[keyword] ?? []) as Schema[]).map((schema) => check({ ...given, schema }));
  const any = tried('anyOf');
  const one = tried('oneOf');
  const problems: string[] = [];
  if (any.length > 0 && !any.some((found) => found.length === 0)) problems.push(...closest(any));
  const fitting = one.filter((found) => found.length === 0).length;
  if (one.length > 0 && fitting === 0) problems.push(...closest(one));
  if (fitting > 1) problems.push(`${given.path}: fits ${fitting} branches of oneOf`);
  return problems;
}

/** The branch that was nearly it tells most. */
function closest(branches: readonly string[][]): string[] {
  return [...branches].sort((a, b) => a.length - b.length)[0] ?? [];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
