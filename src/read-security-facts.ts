import { listOwnFiles } from './backup/own-files.ts';
import { readReliabilityFlag, readVoiceProviders } from './config/environment.ts';
import type { Config, LoadedConfig } from './config/load-config.ts';
import { findServer } from './config/state-root/server-file.ts';
import { findAuditMark, findBackupMark } from './config/state-root/upkeep-marks.ts';
import { resolveMode } from './core/reliability/reliability-mode.ts';
import type { SandboxProbe } from './core/sandbox/sandbox.ts';
import { toProviderSecret } from './core/secrets/secret-references.ts';
import type { Secrets } from './core/secrets/secrets.ts';
import type { SecurityFacts, VoiceFacts } from './core/security/security-facts.ts';
import { findTokenWeakness } from './core/security/token-weakness.ts';
import { lookAtFiles } from './platform/look-at-files.ts';

export interface FactSources {
  readonly loaded: LoadedConfig;
  readonly secrets: Pick<Secrets, 'find'>;
  readonly probeSandbox: () => Promise<SandboxProbe>;
  /** Whether a budget was set in the store, beside those of the configuration. */
  readonly hasStoredBudget: () => Promise<boolean>;
}

/** Looks at the configuration in force and the files, and changes nothing. */
export async function readSecurityFacts(sources: FactSources): Promise<SecurityFacts> {
  const { loaded } = sources;
  const { config, credentials, paths } = loaded;
  const { server, api, shell, network, policy } = config;
  const { bearerToken } = credentials;
  const published = await findServer(paths.root);
  const [voice, files, sandbox, audit, hasBudget, backup] = await Promise.all([
    findVoiceFacts(sources),
    lookAtFiles(listOwnFiles(loaded)),
    findSandbox(sources),
    findAuditMark(paths),
    hasAnyBudget(sources),
    findBackupMark(paths),
  ]);
  return {
    tokenWeakness: bearerToken === undefined ? undefined : findTokenWeakness(bearerToken),
    server: {
      host: server.bind_address,
      port: published === undefined ? server.port : Number(new URL(published.url).port),
      allowedHosts: server.allowed_hosts,
      maxRequests: api.rate_limit_max,
      windowMs: api.rate_limit_window_ms,
      maxAuthFailures: api.auth_failures_per_minute,
    },
    remote: findRemote(config),
    openclawUrl: config.openclaw.url ?? undefined,
    ...{ voice, files, sandbox, audit, hasBudget, backup },
    shell: {
      isEnabled: shell.enable_exec,
      allowed: shell.allowed_commands,
      asked: shell.ask_commands,
      denied: shell.denied_commands,
    },
    network: {
      isEnabled: network.enabled,
      domains: network.allowed_domains,
      reachesLocalhost: network.allow_localhosts,
    },
    reliability: resolveMode(readReliabilityFlag(), config.tool_reliability.mode),
    approvals: {
      hasRuleOfTwo: policy.rule_of_two,
      blanketTools: policy.rules
        .filter(({ decision, where }) => decision === 'allow' && where === undefined)
        .map(({ tool }) => tool),
    },
    nodeVersion: process.versions.node,
  };
}

function findRemote({ remote_access: remote }: Config): SecurityFacts['remote'] {
  const urls = {
    none: undefined,
    tailscale: remote.tailscale_funnel_url,
    cloudflare: remote.cloudflare_tunnel_url,
    proxy: remote.proxy_url,
  };
  return { provider: remote.provider, publicUrl: urls[remote.provider] };
}

async function findSandbox({
  loaded,
  probeSandbox,
}: FactSources): Promise<SecurityFacts['sandbox']> {
  const { active, provider } = loaded.config.sandbox;
  return active && provider !== 'none' ? { provider, probe: await probeSandbox() } : undefined;
}

async function hasAnyBudget({ loaded, hasStoredBudget }: FactSources): Promise<boolean> {
  const { costs, engine } = loaded.config;
  if (costs.default_project_budget_usd !== null || engine.max_run_cost_usd !== null) return true;
  return hasStoredBudget();
}

const VOICE_PROVIDERS = {
  STT_PROVIDER: ['local', 'openai'],
  TTS_PROVIDER: ['local', 'openai', 'elevenlabs'],
} as const;

async function findVoiceFacts({ loaded, secrets }: FactSources): Promise<VoiceFacts> {
  const { voice } = loaded.config;
  const { stt = voice.stt_provider, tts = voice.tts_provider } = readVoiceProviders();
  const chosen = { STT_PROVIDER: stt, TTS_PROVIDER: tts };
  const unknown = (Object.keys(VOICE_PROVIDERS) as (keyof typeof VOICE_PROVIDERS)[])
    .filter(
      (variable) => !(VOICE_PROVIDERS[variable] as readonly string[]).includes(chosen[variable]),
    )
    .map((variable) => `${variable}=${chosen[variable].slice(0, 40)}`);
  const given: Readonly<Record<string, { readonly variable: string; readonly isSet: boolean }>> = {
    openai: { variable: 'OPENAI_API_KEY', isSet: loaded.credentials.apiKeys.openai !== undefined },
    elevenlabs: {
      variable: 'ELEVENLABS_API_KEY',
      isSet: loaded.credentials.elevenLabsKey !== undefined,
    },
  };
  const missingKeys: string[] = [];
  for (const provider of new Set([stt, tts])) {
    const key = given[provider];
    if (key === undefined || key.isSet) continue;
    // Secrets that can't be opened are no keys either; claw doctor tells why.
    const stored = await secrets.find(toProviderSecret(provider)).catch(() => undefined);
    if (stored === undefined) missingKeys.push(key.variable);
  }
  return { stt, tts, missingKeys, unknown };
}
