import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import { TOKEN } from '../torture/workload-script.ts';

export interface OrderRootOptions {
  readonly url: string;
  /** Whether the operator has listed the service as one that honours keys. */
  readonly isKeyed: boolean;
  readonly mode: 'all' | 'off';
}

/** A claim whose process died is taken over after this; the default would outlast every life here. */
const CLAIM_LEASE_MS = 250;

export const answerTo = (message: string): string => `${message} is ordered.`;

/** Puts script and configuration into an empty state root; answers with the server's environment. */
export async function prepareOrderRoot(
  root: string,
  { url, isKeyed, mode }: OrderRootOptions,
): Promise<Readonly<Record<string, string>>> {
  const stateDir = join(root, '.openclawssy');
  const body = '{"order":"{{message}}"}';
  const steps: ScriptInput['steps'] = [
    { toolCalls: [{ tool: 'http.request', input: { url, method: 'POST', body } }] },
    { text: answerTo('{{message}}') },
  ];
  const config = {
    engine: { delta_batch_ms: 5, max_recoveries: 10_000 },
    api: { rate_limit_max: 1_000_000 },
    network: {
      enabled: true,
      allow_localhosts: true,
      idempotency_key_domains: isKeyed ? ['127.0.0.1'] : [],
    },
    tool_reliability: {
      mode,
      overrides: { 'http.request': { idempotency: { lease_ms: CLAIM_LEASE_MS } } },
    },
  };
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await writeFile(join(stateDir, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  await writeFile(join(root, 'script.json'), JSON.stringify({ steps }));
  return {
    API_BEARER_TOKEN: TOKEN,
    CLAW_ALLOW_SCRIPTED_MODEL: '1',
    CLAW_MODEL: 'scripted/script.json',
    LOG_LEVEL: 'error',
  };
}
