import { resolve } from 'node:path';
import { defined } from '../core/defined.ts';
import { readConfigFile } from './config-file.ts';
import { configInvalid, inFile } from './config-problem.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { type DeepReadonly, deepFreeze } from './deep-freeze.ts';
import { type Environment, readEnvironment, wantsTraces } from './environment.ts';
import { blankMcpServers, type McpServers } from './mcp-secrets.ts';
import { mergeConfig } from './merge-config.ts';
import type { ConfigFlags } from './overrides.ts';
import {
  type ConfigInput,
  configSchema,
  type ParsedConfig,
  type ProviderName,
} from './schema/schema.ts';
import { resolveRoot } from './state-root/find-state-root.ts';
import { findPlaceProblems } from './state-root/place-problems.ts';
import { readSecretFile } from './state-root/secret-file.ts';
import { type StatePaths, toStatePaths } from './state-root/state-paths.ts';

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
  /** The file alone over the defaults, with its secrets, to tell what a change of it changes. Hidden likewise. */
  readonly document: DeepReadonly<ParsedConfig>;
  /** Fields whose value in the file does not count: the environment or a flag holds another. */
  readonly overridden: ReadonlySet<string>;
  /** Absolute. */
  readonly workspaceDir: string;
  /** Absolute. */
  readonly secretFiles: { readonly store: string; readonly masterKey: string };
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
  const paths = toPaths(sources);
  return resolveConfig((await readConfigFile(paths.configFile)) ?? {}, sources);
}

/** The same for a file that has been read, or is about to be written. */
export async function resolveConfig(
  fileConfig: ConfigInput,
  sources: ConfigSources,
): Promise<LoadedConfig> {
  const env = sources.env ?? readEnvironment();
  const paths = toPaths(sources);
  const { parsed, overridden } = mergeConfig(fileConfig, env, sources.flags ?? {});
  const problems = findPlaceProblems(parsed, paths);
  if (problems.length > 0) throw configInvalid(inFile(paths.configFile), problems);
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
    workspaceDir: resolve(paths.root, parsed.workspace.root),
    secretFiles: Object.freeze({
      store: resolve(paths.root, parsed.secrets.store_file),
      masterKey: resolve(paths.root, parsed.secrets.master_key_file),
    }),
    overridden: new Set([...overridden, ...listKeyFields(credentials)]),
    traces: Object.freeze({
      enabled: wantsTraces(env),
      serviceName: env.OTEL_SERVICE_NAME ?? 'pincer',
      protocol: env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL,
    }),
    allowScriptedModel: env.CLAW_ALLOW_SCRIPTED_MODEL === '1',
    color: env.NO_COLOR === undefined,
  };
  const document = deepFreeze(configSchema.parse(structuredClone(fileConfig)));
  return withHidden(loaded, { mcpServers: deepFreeze(parsed.mcpServers), document });
}

function toPaths({ root, env = readEnvironment() }: ConfigSources): StatePaths {
  return toStatePaths(resolveRoot(root, env));
}

/** Keys are no fields of the merged config; those that the environment holds win all the same. */
function listKeyFields({ apiKeysFrom }: Credentials): string[] {
  return Object.entries(apiKeysFrom)
    .filter(([, from]) => from === 'environment')
    .map(([name]) => `providers.${name}.api_key`);
}

/** Frozen, with members that are neither printed nor copied along with the rest. */
export function withHidden<T extends object, H extends object>(visible: T, hidden: H): T & H {
  for (const [name, value] of Object.entries(hidden)) {
    Object.defineProperty(visible, name, { value, enumerable: false });
  }
  return Object.freeze(visible) as T & H;
}

function withoutSecrets(parsed: ParsedConfig): Config {
  const { $schema: _, providers, prices, mcpServers, ...rest } = parsed;
  const safeProviders = Object.fromEntries(
    Object.entries(providers).map(([name, { base_url }]) => [name, defined({ base_url })]),
  ) as Record<ProviderName, { base_url?: string }>;
  return deepFreeze({
    ...rest,
    prices: { ...KNOWN_PRICES, ...prices },
    providers: safeProviders,
    mcpServers: blankMcpServers(mcpServers),
  });
}
