import type { ConfigSaved } from '../core/config-editor.ts';
import { resolveMode } from '../core/reliability/reliability-mode.ts';
import { listChangedFields } from './changed-fields.ts';
import { type Credentials, listSecretValues, unprintable } from './credentials.ts';
import { deepFreeze } from './deep-freeze.ts';
import { readReliabilityFlag } from './environment.ts';
import { FIELD_EFFECTS, findFieldEffect } from './field-effects.ts';
import { type Config, type LoadedConfig, withHidden } from './load-config.ts';

/** The configuration in force. It changes while the process runs, so it is asked at each use and never kept. */
export interface LiveConfig {
  current(): LoadedConfig;
  /** Puts in force what can change now, and says what became of each field that differs from the last one applied. */
  apply(next: LoadedConfig): ConfigSaved;
  /** Whether a variable or a flag holds a field, so that the file does not count. */
  isOverridden(path: string): boolean;
  /** Fields that hold another value in the file than in this process, sorted: they wait for a restart. */
  listPending(): readonly string[];
  /** Everything secret that was ever in force: a key that was replaced may still stand in an answer under way. */
  listSecrets(): readonly string[];
}

export function createLiveConfig(start: LoadedConfig): LiveConfig {
  let current = start;
  let latest = start;
  let secrets: readonly string[] = listSecretValues(start.credentials);

  const isOverridden = (path: string) => latest.overridden.has(path) || isFlagged(path, latest);

  return {
    current: () => current,
    isOverridden,

    apply(next) {
      const changed = listChangedFields(latest.document, next.document);
      latest = next;
      current = toInForce(start, next);
      secrets = [...new Set([...secrets, ...listSecretValues(next.credentials)])];
      const counting = changed.filter((path) => !isOverridden(path));
      return {
        applied: counting.filter((path) => findFieldEffect(path) === 'live'),
        restartRequired: counting.filter((path) => findFieldEffect(path) === 'restart'),
        overridden: changed.filter(isOverridden),
      };
    },

    listPending: () =>
      listChangedFields(start.document, latest.document).filter(
        (path) => findFieldEffect(path) === 'restart' && !latest.overridden.has(path),
      ),

    listSecrets: () => secrets,
  };
}

/** The switch in the environment is read at every tool call, and is no override of the merged config. */
function isFlagged(path: string, { config }: LoadedConfig): boolean {
  const { mode } = config.tool_reliability;
  return path === 'tool_reliability.mode' && resolveMode(readReliabilityFlag(), mode) !== mode;
}

/** What was opened at the start stays as it was opened; everything else is as the file says now. */
function toInForce(start: LoadedConfig, next: LoadedConfig): LoadedConfig {
  const visible = {
    ...start,
    config: mergeConfigs(start.config, next.config),
    credentials: withKeys(start.credentials, next.credentials),
    overridden: next.overridden,
  };
  return withHidden(visible, { mcpServers: next.mcpServers, document: next.document });
}

function mergeConfigs(start: Config, next: Config): Config {
  const sections = Object.entries(next).map(([name, section]) => [
    name,
    mergeSection(name as keyof Config, start, section),
  ]);
  return deepFreeze(Object.fromEntries(sections));
}

function mergeSection(name: keyof Config, start: Config, next: unknown): unknown {
  const effect: unknown = FIELD_EFFECTS[name];
  if (effect === 'live') return next;
  const old: unknown = start[name];
  if (effect === 'restart') return old;
  const members = Object.entries(next as object).filter(
    ([member]) => findFieldEffect(`${name}.${member}`) === 'live',
  );
  return { ...(old as object), ...Object.fromEntries(members) };
}

function withKeys(start: Credentials, { apiKeys, apiKeysFrom }: Credentials): Credentials {
  return unprintable({ ...start, apiKeys, apiKeysFrom });
}
