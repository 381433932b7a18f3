import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { toIso } from '../../core/clock.ts';
import type { ChainPosition } from '../../core/events/hash-chain.ts';
import type { Loss } from '../../core/records/losses.ts';
import { syncDirectory } from '../../platform/durable-write.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { FILE_MODE, makeDirectory } from '../../platform/owner-only.ts';

const LOSS_FILE = '.openclawssy/accepted-losses.jsonl';

/** What the operator gave up: lines that the log does not have, and need not. */
export interface LossBook {
  /** Of runs. */
  readonly count: number;
  /** Where the run's lines go on from, behind its last line that was given up. */
  findRestart(runId: string, hash: string): ChainPosition | undefined;
}

const position = z.object({ seq: z.int().nonnegative(), hash: z.string() });
const lossLine = z.object({
  accepted_at: z.string(),
  run_id: z.string(),
  agent_id: z.string(),
  after: position,
  through: position,
});

export async function readLossBook(root: string): Promise<LossBook> {
  const text = await readFile(join(root, LOSS_FILE), 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return '';
    throw error;
  });
  const restarts = new Map<string, ChainPosition>();
  const runs = new Set<string>();
  for (const line of text.split('\n')) {
    const loss = parseLine(line);
    if (loss === undefined) continue;
    restarts.set(`${loss.run_id} ${loss.through.hash}`, loss.after);
    runs.add(loss.run_id);
  }
  return {
    count: runs.size,
    findRestart(runId, hash) {
      let restart = restarts.get(`${runId} ${hash}`);
      for (;;) {
        // Where the lines went on from may have been given up later.
        const further = restart && restarts.get(`${runId} ${restart.hash}`);
        if (!restart || !further || further.seq >= restart.seq) return restart;
        restart = further;
      }
    },
  };
}

export async function appendLosses(
  root: string,
  losses: readonly Loss[],
  nowMs: number,
): Promise<void> {
  const path = join(root, LOSS_FILE);
  await makeDirectory(dirname(path));
  const lines = losses.map(({ runId, agentId, after, through }) => {
    const line: z.infer<typeof lossLine> = {
      accepted_at: toIso(nowMs),
      run_id: runId,
      agent_id: agentId,
      after,
      through,
    };
    return `${JSON.stringify(line)}\n`;
  });
  const handle = await open(path, 'a', FILE_MODE);
  try {
    // On a line of its own, whatever a crash may have left of the one before.
    await handle.writeFile(`\n${lines.join('')}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncDirectory(dirname(path));
}

function parseLine(text: string): z.infer<typeof lossLine> | undefined {
  if (text === '') return undefined;
  try {
    return lossLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
