import { RuntimeError } from '../core/errors.ts';
import { findClosestName } from '../core/find-closest-name.ts';
import {
  DEFAULT_RELIABILITY,
  type ReliabilityOverrides,
  resolveSettings,
} from '../core/reliability/settings.ts';
import { type ConfigProblem, configInvalid, inFile } from './config-problem.ts';
import type { DeepReadonly } from './deep-freeze.ts';
import type { ParsedConfig } from './schema/schema.ts';
import { toSnakeCase } from './schema/to-snake-case.ts';

type ConfiguredOverrides = DeepReadonly<ParsedConfig['tool_reliability']['overrides']>;
type Group = 'breaker' | 'retry' | 'idempotency';

const GROUPS: readonly Group[] = ['breaker', 'retry', 'idempotency'];

/** Each group's names as the config spells them, with those of the reliability layer. */
const NAMES = new Map(
  GROUPS.map((group) => [
    group,
    new Map(Object.keys(DEFAULT_RELIABILITY[group]).map((name) => [toSnakeCase(name), name])),
  ]),
);

/** `tool_reliability.overrides` for the reliability layer, by tool name or prefix. `file` is named when one is wrong. */
export function toReliabilityOverrides(
  configured: ConfiguredOverrides,
  file: string,
): ReadonlyMap<string, ReliabilityOverrides> {
  const { overrides, problems } = convertOverrides(configured);
  if (problems.length > 0) throw configInvalid(inFile(file), problems);
  return overrides;
}

export function findOverrideProblems(configured: ConfiguredOverrides): readonly ConfigProblem[] {
  return convertOverrides(configured).problems;
}

function convertOverrides(configured: ConfiguredOverrides) {
  const problems: ConfigProblem[] = [];
  const overrides = new Map<string, ReliabilityOverrides>();
  for (const [pattern, groups] of Object.entries(configured)) {
    const converted: Partial<Record<Group, object>> = {};
    for (const group of GROUPS) {
      if (groups[group] === undefined) continue;
      const path = `tool_reliability.overrides.${pattern}.${group}`;
      converted[group] = convertGroup({ group, values: groups[group], path, problems });
    }
    overrides.set(pattern, converted);
  }
  return { overrides, problems };
}

interface GroupToConvert {
  readonly group: Group;
  readonly values: Readonly<Record<string, number | string>>;
  readonly path: string;
  readonly problems: ConfigProblem[];
}

function convertGroup({ group, values, path, problems }: GroupToConvert): object {
  const names = NAMES.get(group) ?? new Map<string, string>();
  const converted = new Map<string, number | string>();
  for (const [name, value] of Object.entries(values)) {
    const settingsName = names.get(name);
    const problem =
      settingsName === undefined
        ? describeUnknown(name, [...names.keys()])
        : findProblem(group, settingsName, value);
    if (problem !== undefined) problems.push({ field: `${path}.${name}`, ...problem });
    else if (settingsName !== undefined) converted.set(settingsName, value);
  }
  return Object.fromEntries(converted);
}

type Problem = Omit<ConfigProblem, 'field'>;

function describeUnknown(name: string, known: readonly string[]): Problem {
  const closest = findClosestName(name, known);
  const fix =
    closest === undefined
      ? `remove it, or use one of ${known.join(', ')}`
      : `did you mean ${closest}?`;
  return { problem: 'is not a known field', fix };
}

/** One value at a time, so that the field at fault is known. */
function findProblem(group: Group, name: string, value: number | string): Problem | undefined {
  try {
    resolveSettings({ [group]: { [name]: value } });
    return undefined;
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    const reason = error.message.slice(error.message.indexOf(': ') + 2);
    return {
      problem: `is refused: ${reason} (it is ${JSON.stringify(value)})`,
      fix: 'correct or remove it',
    };
  }
}
