import { CHAIN_START, type ChainPosition } from '../events/hash-chain.ts';
import type { RunId } from '../ids.ts';
import type { AuditedChain, AuditReader } from './audit-reader.ts';
import { inParallel } from './in-parallel.ts';
import type { RecordStore } from './record-store.ts';
import { ALL_RUNS, type RunPart } from './run-part.ts';

const PARALLEL_LOOKS = 16;

/** A run of which the audit files know more than the log. */
export interface Loss {
  readonly runId: RunId;
  readonly agentId: string;
  /** The last event that the log has; its start when it does not know the run. */
  readonly after: ChainPosition;
  readonly hasRow: boolean;
  /** Whether the log takes the run for open: it would go on from there. */
  readonly isOpen: boolean;
  /** The last line. */
  readonly through: ChainPosition;
  readonly place: AuditedChain['place'];
}

export interface LossDeps {
  readonly records: Pick<RecordStore, 'findHead'>;
  readonly files: AuditReader;
}

/**
 * Whether the newest lines are in the log. Lines follow it within milliseconds, so a database that lost its end or was
 * rolled back shows here, at the cost of a few lines and a few rows.
 */
export async function findRecentLosses({ records, files }: LossDeps): Promise<readonly Loss[]> {
  return compare(records, await files.readNewest());
}

/**
 * The same for all lines there are, as far as their chains are whole; then what the newest lines tell besides. Behind a
 * broken chain a line still says that there was more, so a run may be here twice.
 */
export async function findAllLosses(deps: LossDeps): Promise<readonly Loss[]> {
  const whole = await findWholeLosses(deps);
  const known = new Set(whole.map(({ through }) => through.hash));
  const recent = await findRecentLosses(deps);
  return [...whole, ...recent.filter(({ through }) => !known.has(through.hash))];
}

async function findWholeLosses({ records, files }: LossDeps): Promise<readonly Loss[]> {
  const losses: Loss[] = [];
  const parts: RunPart[] = [ALL_RUNS];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { chains, rest } = await files.check({ part });
    losses.push(...(await compare(records, chains)));
    parts.push(...rest);
  }
  return losses;
}

async function compare(
  records: LossDeps['records'],
  chains: ReadonlyMap<string, Pick<AuditedChain, 'last' | 'agentId' | 'place'>>,
): Promise<Loss[]> {
  const losses: Loss[] = [];
  await inParallel(chains, PARALLEL_LOOKS, async ([id, { last, agentId, place }]) => {
    const runId = id as RunId;
    const head = await records.findHead(runId);
    if (last.seq <= (head?.lastSeq ?? 0)) return;
    losses.push({
      runId,
      agentId,
      after: head?.last ?? CHAIN_START,
      hasRow: head !== undefined,
      isOpen: head !== undefined && !head.hasEnded,
      through: last,
      place,
    });
  });
  return losses;
}
