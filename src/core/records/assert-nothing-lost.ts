import { RuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { findRecentLosses, type LossDeps } from './losses.ts';

export const RECOVER_FIX =
  'stop everything that uses the state root, keep a copy of it, then `claw recover --from-audit` puts the events back; ' +
  '`claw recover --accept-loss` goes on without them';

const MOVE_FIX =
  'set DATABASE_URL back if that was a mistake; to move here, with everything stopped, `claw recover --from-audit` brings the ' +
  'history of the audit files along, and `claw recover --accept-loss` leaves it behind';

export interface WholenessDeps extends LossDeps {
  /** The other database that the state root was on until now. */
  readonly former: string | undefined;
}

/** Refuses to go on from a log that has lost what was acknowledged: the same work would be done twice. */
export async function assertNothingLost(deps: WholenessDeps, logger: Logger): Promise<void> {
  const losses = await findRecentLosses(deps);
  const [first] = losses;
  if (first === undefined) return;
  const place = first.place === undefined ? '' : ` (${first.place.file}:${first.place.line})`;
  const runs = `${losses.length} of the newest runs, among them ${first.runId} from event ${first.after.seq + 1} on${place}`;
  const { former } = deps;
  const fix = former === undefined ? RECOVER_FIX : MOVE_FIX;
  const message =
    former === undefined
      ? `the database has lost events that the audit files hold, or was rolled back: ${runs}`
      : `the data of this state root is in ${former}, and this database lacks events that the audit files hold: ${runs}`;
  logger.error({ runs: losses.length, run_id: first.runId, fix }, message);
  throw new RuntimeError('conflict', message, { details: { fix } });
}
