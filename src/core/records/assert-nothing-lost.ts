import { RuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { findRecentLosses, type LossDeps } from './losses.ts';

export const RECOVER_FIX =
  'stop everything that uses the state root, keep a copy of it, then `claw recover --from-audit` puts the events back; ' +
  '`claw recover --accept-loss` goes on without them';

/** Refuses to go on from a log that has lost what was acknowledged: the same work would be done twice. */
export async function assertNothingLost(deps: LossDeps, logger: Logger): Promise<void> {
  const losses = await findRecentLosses(deps);
  const [first] = losses;
  if (first === undefined) return;
  const place = first.place === undefined ? '' : ` (${first.place.file}:${first.place.line})`;
  const message =
    `the database has lost events that the audit files hold, or was rolled back: ${losses.length} of the newest runs, ` +
    `among them ${first.runId} from event ${first.after.seq + 1} on${place}`;
  logger.error({ runs: losses.length, run_id: first.runId, fix: RECOVER_FIX }, message);
  throw new RuntimeError('conflict', message, { details: { fix: RECOVER_FIX } });
}
