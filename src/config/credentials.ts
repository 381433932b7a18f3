import { RuntimeError } from '../core/errors.ts';
import type { Environment, EnvironmentVariable } from './environment.ts';
import { listUrlPasswords } from './list-url-passwords.ts';
import { listMcpSecrets, type McpServers } from './mcp-secrets.ts';
import type { ParsedConfig, ProviderName } from './schema/schema.ts';

/** A local Ollama asks for no key. */
type KeyedProvider = Exclude<ProviderName, 'ollama'>;

/** Everything secret, apart from the config so that the config can be printed. Prints as a placeholder. */
export interface Credentials {
  readonly bearerToken: string | undefined;
  readonly bearerTokenFrom: 'environment' | 'file' | undefined;
  readonly signatureSecret: string | undefined;
  /** By key id, for rotation. */
  readonly signatureSecrets: ReadonlyMap<string, string>;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly apiKeys: Readonly<Partial<Record<KeyedProvider, string>>>;
  /** A key of the environment wins over the secret store, one of the file does not. */
  readonly apiKeysFrom: Readonly<Partial<Record<KeyedProvider, 'environment' | 'file'>>>;
  /** Of Resend; stands for the secret of the built-in integration. */
  readonly resendKey: string | undefined;
  readonly elevenLabsKey: string | undefined;
  /** Of the OpenClaw gateway; each wins over the secret store. */
  readonly openclawToken: string | undefined;
  readonly openclawPassword: string | undefined;
  /** Of the secret store, as the environment gives it: the store reads it. */
  readonly masterKey: string | undefined;
  /** What MCP servers are told that must not appear anywhere else. */
  readonly mcpSecrets: readonly string[];
}

export interface CredentialSources {
  readonly env: Environment;
  readonly providers: ParsedConfig['providers'];
  readonly mcpServers: McpServers;
  readonly tokenInFile: string | undefined;
  readonly signatureSecretInFile: string | undefined;
}

export const API_KEY_VARIABLES = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  google: 'GOOGLE_API_KEY',
  openai_compatible: 'OPENAI_COMPAT_API_KEY',
} as const satisfies Record<KeyedProvider, EnvironmentVariable>;

const MAX_SECRET_CHARS = 4096;
const MAX_SIGNATURE_KEYS = 16;

export function createCredentials(sources: CredentialSources): Credentials {
  const { env, tokenInFile } = sources;
  const bearerToken = readSecret(env, 'API_BEARER_TOKEN') ?? tokenInFile;
  const fromFile = tokenInFile === undefined ? undefined : 'file';
  return unprintable({
    bearerToken,
    bearerTokenFrom: env.API_BEARER_TOKEN === undefined ? fromFile : 'environment',
    signatureSecret: readSecret(env, 'RUNTIME_SIGNATURE_SECRET') ?? sources.signatureSecretInFile,
    signatureSecrets: parseSignatureSecrets(env.RUNTIME_SIGNATURE_SECRETS),
    databaseUrl: readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: readUrl(env, 'REDIS_URL', ['redis:', 'rediss:']),
    ...collectApiKeys(env, sources.providers),
    resendKey: readSecret(env, 'RESEND_API_KEY'),
    elevenLabsKey: readSecret(env, 'ELEVENLABS_API_KEY'),
    openclawToken: readSecret(env, 'OPENCLAW_GATEWAY_TOKEN'),
    openclawPassword: readSecret(env, 'OPENCLAW_GATEWAY_PASSWORD'),
    masterKey: readSecret(env, 'OPENCLAWSSY_MASTER_KEY'),
    mcpSecrets: listMcpSecrets(sources.mcpServers),
  });
}

/** Every secret value by itself, for a redactor that must know them. */
export function listSecretValues(credentials: Credentials): string[] {
  const urls = [credentials.databaseUrl, credentials.redisUrl].filter((url) => url !== undefined);
  return [
    credentials.bearerToken,
    credentials.signatureSecret,
    ...credentials.signatureSecrets.values(),
    ...Object.values(credentials.apiKeys),
    credentials.resendKey,
    credentials.elevenLabsKey,
    credentials.openclawToken,
    credentials.openclawPassword,
    credentials.masterKey,
    ...urls.flatMap(listUrlPasswords),
    ...credentials.mcpSecrets,
  ].filter((value) => value !== undefined && value !== '') as string[];
}

function collectApiKeys(
  env: Environment,
  providers: ParsedConfig['providers'],
): Pick<Credentials, 'apiKeys' | 'apiKeysFrom'> {
  const apiKeys: Partial<Record<KeyedProvider, string>> = {};
  const apiKeysFrom: Partial<Record<KeyedProvider, 'environment' | 'file'>> = {};
  for (const name of Object.keys(API_KEY_VARIABLES) as KeyedProvider[]) {
    const fromEnvironment = readSecret(env, API_KEY_VARIABLES[name]);
    const key = fromEnvironment ?? providers[name].api_key;
    if (key === undefined) continue;
    apiKeys[name] = key;
    apiKeysFrom[name] = fromEnvironment === undefined ? 'file' : 'environment';
  }
  return { apiKeys: Object.freeze(apiKeys), apiKeysFrom: Object.freeze(apiKeysFrom) };
}

function readSecret(env: Environment, variable: EnvironmentVariable): string | undefined {
  const value = env[variable];
  if (value === undefined) return undefined;
  // Secrets travel in HTTP headers, where anything else would be refused or cut.
  if (!/^[\x21-\x7e]+$/.test(value) || value.length > MAX_SECRET_CHARS) {
    throw invalidVariable(
      variable,
      `must be printable ASCII without spaces, at most ${MAX_SECRET_CHARS} characters`,
    );
  }
  return value;
}

function readUrl(
  env: Environment,
  variable: EnvironmentVariable,
  protocols: readonly string[],
): string | undefined {
  const value = env[variable];
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw invalidVariable(variable, `must be a URL that starts with ${protocols[0]}//`);
  }
  return value;
}

function parseSignatureSecrets(text: string | undefined): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>();
  for (const entry of text?.split(',') ?? []) {
    const [, keyId, secret] =
      /^\s*([A-Za-z0-9_.-]{1,64}):([\x21-\x2b\x2d-\x7e]+)\s*$/.exec(entry) ?? [];
    if (keyId === undefined || secret === undefined || secrets.has(keyId)) {
      throw invalidVariable(
        'RUNTIME_SIGNATURE_SECRETS',
        'must be keyid:secret pairs with distinct ids, joined by commas',
      );
    }
    secrets.set(keyId, secret);
  }
  if (secrets.size > MAX_SIGNATURE_KEYS) {
    throw invalidVariable(
      'RUNTIME_SIGNATURE_SECRETS',
      `must have at most ${MAX_SIGNATURE_KEYS} keys`,
    );
  }
  return secrets;
}

function invalidVariable(variable: EnvironmentVariable, problem: string): RuntimeError {
  const fix = `correct or unset ${variable}`;
  return new RuntimeError(
    'config_invalid',
    `environment variable ${variable} ${problem}; to fix: ${fix}`,
    {
      details: { variable, fix },
    },
  );
}

/** Frozen; prints as a placeholder. */
export function unprintable(credentials: Credentials): Credentials {
  const placeholder = () => '[credentials]';
  Object.defineProperty(credentials, 'toJSON', { value: placeholder });
  Object.defineProperty(credentials, Symbol.for('nodejs.util.inspect.custom'), {
    value: placeholder,
  });
  return Object.freeze(credentials);
}
