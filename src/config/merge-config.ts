import { configInvalid, toProblems } from './config-problem.ts';
import type { Environment } from './environment.ts';
import { type ConfigFlags, OVERRIDES, type Override } from './overrides.ts';
import { type ConfigInput, configSchema, type ParsedConfig } from './schema/schema.ts';
import { findField } from './schema/schema-fields.ts';

export interface MergedConfig {
  readonly parsed: ParsedConfig;
  /** Fields that the environment or a flag has set. */
  readonly overridden: ReadonlySet<string>;
}

/** Default, file, environment and flag, a later one winning. */
export function mergeConfig(
  fileConfig: ConfigInput,
  env: Environment,
  flags: ConfigFlags,
): MergedConfig {
  const merged = structuredClone(fileConfig) as Record<string, unknown>;
  const overridden = new Set<string>();
  for (const override of OVERRIDES) {
    const fromEnvironment = override.variable && env[override.variable];
    if (fromEnvironment !== undefined) {
      const where = {
        text: `environment variable ${override.variable}`,
        details: { variable: override.variable },
      };
      setField(merged, override, checkOverride(override, fromEnvironment, where));
      overridden.add(override.field);
    }
    const fromFlag = override.flag && flags[override.flag.key];
    if (fromFlag !== undefined) {
      const where = {
        text: `option ${override.flag?.name}`,
        details: { flag: override.flag?.name },
      };
      setField(merged, override, checkOverride(override, String(fromFlag), where));
      overridden.add(override.field);
    }
  }
  return { parsed: configSchema.parse(merged), overridden };
}

function checkOverride(
  override: Override,
  text: string,
  where: Parameters<typeof configInvalid>[0],
): unknown {
  const value = override.toValue(text);
  const result = findField(override.field)?.schema.safeParse(value);
  if (result?.success) return value;
  const path = override.field.split('.');
  const input = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  const issues = (result?.error?.issues ?? []).map((issue) => ({ ...issue, path }));
  const name = where.text.split(' ').at(-1);
  const problems = toProblems(issues, input).map((problem) => ({
    ...problem,
    fix: `correct or unset ${name}`,
  }));
  throw configInvalid(where, problems);
}

function setField(target: Record<string, unknown>, override: Override, value: unknown): void {
  const path = override.field.split('.');
  const last = path.pop() ?? '';
  let section = target;
  for (const name of path) {
    section[name] ??= {};
    section = section[name] as Record<string, unknown>;
  }
  section[last] = value;
}
