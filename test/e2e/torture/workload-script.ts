import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';

/**
 * What every run does. `fs.write` may be repeated after a crash and must leave one file; `fs.edit` may not, and a
 * second one would show: AB would become ABB.
 */
const STEPS: ScriptInput['steps'] = [
  {
    text: ['I will ', 'write ', 'a file.'],
    deltaDelayMs: 2,
    toolCalls: [
      { tool: 'fs.write', input: { path: '{{message}}.txt', content: '{{message}} A\n' } },
    ],
  },
  { toolCalls: [{ tool: 'fs.read', input: { path: '{{message}}.txt' } }] },
  {
    text: ['Now I ', 'change it.'],
    deltaDelayMs: 2,
    toolCalls: [
      { tool: 'fs.edit', input: { path: '{{message}}.txt', old: 'A', new: 'AB' } },
      { tool: 'fs.write', input: { path: '{{message}}.log', content: 'log of {{message}}\n' } },
    ],
  },
  { text: ['All ', 'of ', '{{message}} ', 'is ', 'done.'], deltaDelayMs: 3 },
];

/** What the runs of the scheduled job do: nothing that another of them could undo. */
const TICK_STEPS: ScriptInput['steps'] = [{ text: ['tick ', 'tock'], deltaDelayMs: 2 }];

export const TICK_ANSWER = 'tick tock';
export const TICK_MODEL = 'scripted/tick.json';

export const CALLS = {
  write: 'call_1_1',
  read: 'call_2_1',
  edit: 'call_3_1',
  log: 'call_3_2',
} as const;

export const answerTo = (message: string): string => `All of ${message} is done.`;
export const writtenBy = (message: string): string => `${message} A\n`;
export const editedBy = (message: string): string => `${message} AB\n`;
export const loggedBy = (message: string): string => `log of ${message}\n`;

/** Steps from this one on wait in the slow script: runs stay open there, with one effect behind them. */
const SLOW_FROM_STEP = 1;
const SLOW_STEP_MS = 60_000;

export const TOKEN = 'torture-token-0123456789abcdef';

export interface PreparedRoot {
  readonly env: Readonly<Record<string, string>>;
  /** The same, with a model that stops in the middle of every run. */
  readonly slowEnv: Readonly<Record<string, string>>;
}

/** Puts scripts and configuration into an empty state root. */
export async function prepareRoot(root: string, engine: object): Promise<PreparedRoot> {
  const stateDir = join(root, '.openclawssy');
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const config = {
    // The storm kills on purpose where a run is: what looks like a run that breaks its runner is us.
    engine: { delta_batch_ms: 5, max_recoveries: 10_000, ...engine },
    api: { rate_limit_max: 1_000_000 },
    // Runs are marked as recorded after a sync: with the default most lives would end before one.
    records: { audit_fsync_ms: 150 },
    // Every slot of a storm is looked at in the end.
    scheduler: { history_per_job: 100_000 },
  };
  const slow = STEPS.map((step, index) =>
    index < SLOW_FROM_STEP ? step : { ...step, delayMs: SLOW_STEP_MS },
  );
  await writeFile(join(stateDir, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  await writeFile(join(root, 'script.json'), JSON.stringify({ steps: STEPS }));
  await writeFile(join(root, 'tick.json'), JSON.stringify({ steps: TICK_STEPS }));
  await writeFile(join(root, 'slow.json'), JSON.stringify({ steps: slow }));
  const env = {
    API_BEARER_TOKEN: TOKEN,
    CLAW_ALLOW_SCRIPTED_MODEL: '1',
    CLAW_MODEL: 'scripted/script.json',
    LOG_LEVEL: 'warn',
  };
  return { env, slowEnv: { ...env, CLAW_MODEL: 'scripted/slow.json' } };
}
