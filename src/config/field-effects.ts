import type { ParsedConfig } from './schema/schema.ts';

/** When a change of a field counts: at once, or for the next process that reads the file. */
export type FieldEffect = 'live' | 'restart';

type SectionEffects = {
  readonly [Section in keyof Required<ParsedConfig>]:
    | FieldEffect
    | {
        readonly [Name in keyof Required<NonNullable<ParsedConfig[Section]>>]: FieldEffect;
      };
};

/** Complete by type: a new field does not compile until somebody has said when a change of it counts. */
export const FIELD_EFFECTS = {
  $schema: 'live',
  version: 'restart',
  server: 'restart',
  api: 'live',
  remote_access: 'live',
  model: 'live',
  providers: 'live',
  prices: 'live',
  costs: 'live',
  engine: {
    max_concurrent_runs: 'live',
    max_queued_runs: 'live',
    lease_ms: 'restart',
    default_run_timeout_ms: 'live',
    max_turns: 'live',
    max_run_tokens: 'live',
    max_run_cost_usd: 'live',
    max_recoveries: 'live',
    shutdown_grace_ms: 'restart',
    delta_batch_ms: 'live',
  },
  agents: 'live',
  chat: 'live',
  sessions: 'live',
  scheduler: 'live',
  secrets: 'restart',
  tools: 'live',
  policy: 'live',
  network: 'live',
  shell: 'live',
  sandbox: 'restart',
  // Circuits are made with the numbers that held when they were first needed.
  tool_reliability: { mode: 'live', keep_breakers: 'restart', overrides: 'restart' },
  mcpServers: 'live',
  integrations: 'live',
  openclaw: 'restart',
  skills: 'live',
  memory: 'live',
  voice: 'live',
  workers: 'live',
  projection: 'restart',
  events: 'live',
  workspace: 'restart',
  records: 'restart',
  logging: { level: 'live', format: 'restart' },
} as const satisfies SectionEffects;

/** By its path, as in `engine.lease_ms` or `mcpServers.github`. */
export function findFieldEffect(path: string): FieldEffect {
  const [section = '', name = ''] = path.split('.');
  const table: Readonly<Record<string, FieldEffect | Readonly<Record<string, FieldEffect>>>> =
    FIELD_EFFECTS;
  const effect = table[section];
  // What the table does not know is no field; the next start will say so.
  return (typeof effect === 'object' ? effect[name] : effect) ?? 'restart';
}
