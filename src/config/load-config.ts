import { isAbsolute, join, relative, resolve } from 'node:path';
import { RuntimeError } from '../core/errors.ts';
import { readConfigFile } from './config-file.ts';
import { configInvalid, toProblems } from './config-problem.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { type DeepReadonly, deepFreeze } from './deep-freeze.ts';
import { type Environment, readEnvironment, wantsTraces } from './environment.ts';
import { blankMcpServers, type McpServers } from './mcp-secrets.ts';
import { type ConfigFlags, OVERRIDES, type Override } from './overrides.ts';
import { type ConfigInput, configSchema, type ParsedConfig, type ProviderName } from './schema.ts';
import { findField } from './schema-fields.ts';
import { readSecretFile } from './secret-file.ts';
import { resolveRoot, type StatePaths, toStatePaths } from './state-paths.ts';

export interface ConfigSources {
  /** The state root as given by a flag. */
  readonly root?: string | undefined;
  readonly env?: Environment;
  readonly flags?: ConfigFlags;
}

/** Safe to print: provider keys and what MCP servers are told are elsewhere. */
export type Config = DeepReadonly<
  Omit<ParsedConfig, '$schema' | 'providers'> & {
    providers: Record<ProviderName, { base_url?: string }>;
  }
>;

export interface LoadedConfig {
  readonly paths: StatePaths;
  readonly config: Config;
  readonly credentials: Credentials;
  /** With its secrets, for those who connect. Not enumerable, so neither printed nor copied along with the rest. */
  readonly mcpServers: McpServers;
  /** Absolute. */
  readonly workspaceDir: string;
  readonly traces: {
    readonly enabled: boolean;
    readonly serviceName: string;
    /** As the environment asks for it; undefined when it does not. */
    readonly protocol: string | undefined;
  };
  readonly allowScriptedModel: boolean;
  /** Whether text for people may be coloured on a terminal. */
  readonly color: boolean;
}

/** The offline model runs in this process: what it costs is known. The operator's own entry wins. */
const KNOWN_PRICES = { 'offline/rules': { input_per_million: 0, output_per_million: 0 } };

/** Merges default, file, environment and flag, in this order, into one frozen value. Creates nothing. */
export async function loadConfig(sources: ConfigSources = {}): Promise<LoadedConfig> {
  const env = sources.env ?? readEnvironment();
  const paths = toStatePaths(resolveRoot(sources.root, env));
  const fileConfig = (await readConfigFile(paths.configFile)) ?? {};
  const parsed = mergeConfig(fileConfig, env, sources.flags ?? {});
  const credentials = createCredentials({
    env,
    providers: parsed.providers,
    mcpServers: parsed.mcpServers,
    tokenInFile: env.API_BEARER_TOKEN ? undefined : await readSecretFile(paths.tokenFile),
    signatureSecretInFile: env.RUNTIME_SIGNATURE_SECRET
      ? undefined
      : await readSecretFile(paths.signatureSecretFile),
  });
  const loaded = {
    paths,
    config: withoutSecrets(parsed),
    credentials,
    workspaceDir: resolveWorkspace(parsed.workspace.root, paths),
    traces: Object.freeze({
      enabled: wantsTraces(env),
      serviceName: env.OTEL_SERVICE_NAME ?? 'pincer',
      protocol: env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL,
    }),
    allowScriptedModel: env.CLAW_ALLOW_SCRIPTED_MODEL === '1',
    color: env.NO_COLOR === undefined,
  };
  const mcpServers = { mcpServers: deepFreeze(parsed.mcpServers) };
  return Object.freeze(withHidden(loaded, mcpServers));
}

function withHidden<T extends object, H extends object>(visible: T, hidden: H): T & H {
  for (const [name, value] of Object.entries(hidden)) {
    Object.defineProperty(visible, name, { value, enumerable: false });
  }
  return visible as T & H;
}

function mergeConfig(fileConfig: ConfigInput, env: Environment, flags: ConfigFlags): ParsedConfig {
  const merged = structuredClone(fileConfig) as Record<string, unknown>;
  for (const override of OVERRIDES) {
    const fromEnvironment = override.variable && env[override.variable];
    if (fromEnvironment !== undefined) {
      const where = {
        text: `environment variable ${override.variable}`,
        details: { variable: override.variable },
      };
      setField(merged, override, checkOverride(override, fromEnvironment, where));
    }
    const fromFlag = override.flag && flags[override.flag.key];
    if (fromFlag !== undefined) {
      const where = {
        text: `option ${override.flag?.name}`,
        details: { flag: override.flag?.name },
      };
      setField(merged, override, checkOverride(override, String(fromFlag), where));
    }
  }
  return configSchema.parse(merged);
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

function withoutSecrets(parsed: ParsedConfig): Config {
  const { $schema: _, providers, prices, mcpServers, ...rest } = parsed;
  const safeProviders = Object.fromEntries(
    Object.entries(providers).map(([name, { base_url }]) => [
      name,
      base_url === undefined ? {} : { base_url },
    ]),
  ) as Record<ProviderName, { base_url?: string }>;
  return deepFreeze({
    ...rest,
    prices: { ...KNOWN_PRICES, ...prices },
    providers: safeProviders,
    mcpServers: blankMcpServers(mcpServers),
  });
}

/** Tools must never reach the runtime's own files, so the workspace can't lie among them. */
function resolveWorkspace(configured: string, paths: StatePaths): string {
  const workspaceDir = resolve(paths.root, configured);
  for (const reserved of [paths.stateDir, join(paths.root, '.claw')]) {
    const inside = relative(reserved, workspaceDir);
    if (inside === '' || !(inside.startsWith('..') || isAbsolute(inside))) {
      const fix = 'choose a folder outside .openclawssy and .claw';
      throw new RuntimeError(
        'config_invalid',
        `config file ${paths.configFile}: workspace.root is inside ${reserved}; to fix: ${fix}`,
        { details: { file: paths.configFile, field: 'workspace.root', fix } },
      );
    }
  }
  return workspaceDir;
}
