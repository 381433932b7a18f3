import { join } from 'node:path';
import { type AgentId, DEFAULT_AGENT_ID } from '../../../src/core/ids.ts';
import { silentLogger } from '../../../src/core/log.ts';
import type { Run } from '../../../src/core/runs/run.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { checkEffects } from './check-effects.ts';
import { checkAudit, checkBundle } from './check-records.ts';
import { checkClientRun, checkEvents, type StoredRun } from './check-run.ts';
import { checkTicks, type TicksReport } from './check-ticks.ts';
import type { ClientMemory } from './client-memory.ts';
import { TICK_AGENT_ID } from './tick-job.ts';

export interface RootReport {
  readonly violations: readonly string[];
  readonly runs: number;
  readonly events: number;
  readonly completed: number;
  readonly cancelled: number;
  /** Runs given up after too many recoveries in a row, as the runtime promises. */
  readonly givenUp: number;
  /** Edits whose outcome a crash has hidden. */
  readonly unknownEdits: number;
  readonly recoveries: number;
  /** Slots of the scheduled job. */
  readonly ticks: Pick<TicksReport, 'fired' | 'missed'>;
}

const PAGE = 200;
const MAX_EVENTS_PER_RUN = 10_000;

/** Holds a state root, with nobody running on it, against what its clients remember. */
export async function checkRoot(root: string, memory: ClientMemory): Promise<RootReport> {
  const storage = await openSqliteStorage({
    file: join(root, '.openclawssy/pincer.db'),
    writer: 'inline',
    readOnly: true,
    logger: silentLogger,
  });
  try {
    const stored = await readRuns(storage, DEFAULT_AGENT_ID);
    const ticked = await readRuns(storage, TICK_AGENT_ID as AgentId);
    const violations = [...memory.violations, ...checkSubmits(stored, memory)];
    for (const one of stored) violations.push(...(await checkEffects(root, one)));
    const { violations: wrongTicks, ...ticks } = await checkTicks(storage, ticked);
    violations.push(...wrongTicks);
    const all = [...stored, ...ticked];
    for (const one of all) {
      violations.push(...checkEvents(one), ...(await checkBundle(root, one)));
    }
    const byId = new Map<string, StoredRun>(stored.map((one) => [one.run.id, one]));
    for (const client of memory.runs) {
      const one = byId.get(client.id);
      if (one) violations.push(...checkClientRun(client, one));
    }
    const unrecorded = await storage.runs.listUnrecorded(PAGE);
    violations.push(...unrecorded.map(({ run }) => `${run.id}: ended but not marked as recorded`));
    violations.push(...(await checkAudit(root, all)));
    return { violations, ...summarize(stored), ticks };
  } finally {
    await storage.close();
  }
}

async function readRuns(storage: Storage, agentId: AgentId): Promise<StoredRun[]> {
  const stored: StoredRun[] = [];
  let before: Run['id'] | undefined;
  for (;;) {
    const page = await storage.runs.list({
      limit: PAGE,
      agentId,
      ...(before === undefined ? {} : { before }),
    });
    for (const run of page.runs) {
      const events = await storage.events.read(run.id, { after: 0, limit: MAX_EVENTS_PER_RUN });
      stored.push({ run, events });
    }
    if (page.next === undefined) return stored;
    before = page.next;
  }
}

/** Every acknowledged run is there, and no request made two. */
function checkSubmits(stored: readonly StoredRun[], memory: ClientMemory): string[] {
  const violations: string[] = [];
  const idOf = new Map<string, string>();
  for (const { run } of stored) {
    const twin = idOf.get(run.message);
    if (twin !== undefined) violations.push(`${run.id} and ${twin} come from one request`);
    idOf.set(run.message, run.id);
  }
  for (const { id, message } of memory.runs) {
    const storedId = idOf.get(message);
    if (storedId !== id) violations.push(`${id} was acknowledged; the log has ${storedId}`);
  }
  // Every client goes on until it is answered, so nothing is there that nobody heard of.
  if (stored.length !== memory.runs.length) {
    violations.push(`${memory.runs.length} runs acknowledged, ${stored.length} in the log`);
  }
  return violations;
}

function summarize(stored: readonly StoredRun[]): Omit<RootReport, 'violations' | 'ticks'> {
  const events = stored.flatMap((one) => one.events);
  const count = (status: Run['status']) => stored.filter(({ run }) => run.status === status).length;
  return {
    runs: stored.length,
    events: events.length,
    completed: count('completed'),
    cancelled: count('cancelled'),
    givenUp: count('failed'),
    unknownEdits: events.filter(
      ({ type, payload }) =>
        type === 'tool.result' && payload['tool'] === 'fs.edit' && payload['ok'] === false,
    ).length,
    recoveries: events.filter(({ type }) => type === 'run.recovered').length,
  };
}
