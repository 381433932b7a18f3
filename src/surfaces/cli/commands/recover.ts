import type { RecoveryReport } from '../../../core/records/recover.ts';
import { defineCommand } from '../program/command.ts';
import { parseError } from '../program/errors.ts';

type Way = 'from_audit' | 'accept_loss';

interface Recovery {
  readonly way: Way;
  readonly report: RecoveryReport;
}

const MAX_SHOWN = 20;
const NOTHING_LOST: RecoveryReport = {
  lostRuns: 0,
  settledRuns: 0,
  settledEvents: 0,
  failures: [],
};

export const recover = defineCommand({
  usage: '--from-audit | --accept-loss',
  description:
    'Settles what the database has lost and the audit files still hold: after damage, or when an older copy of it was\n' +
    'put back. --from-audit puts the events back; runs that had not ended are ended as failed. --accept-loss goes on\n' +
    'without them, and keeps that decision on record. The server has to be stopped. Keep a copy of the state root first.',
  args: { min: 0, max: 0 },
  options: {
    'from-audit': { kind: 'flag', summary: 'put the events back into the database' },
    'accept-loss': { kind: 'flag', summary: 'go on without them' },
  },
  examples: ['claw recover --from-audit', 'claw recover --accept-loss --output-format json'],
  async run({ options }, { root, parts, live }): Promise<Recovery> {
    const way = toWay(options['from-audit'], options['accept-loss']);
    live.progress('comparing the audit files with the database …');
    if (!parts.hasState(root)) return { way, report: NOTHING_LOST };
    return { way, report: await parts.recover({ root, way, warn: live.warn }) };
  },
  fields: ({ way, report }) => ({
    way,
    lost_runs_count: report.lostRuns,
    settled_runs_count: report.settledRuns,
    settled_events_count: report.settledEvents,
    failures: report.failures.map(({ runId, message }) => ({ run_id: runId, message })),
  }),
  text({ way, report }, style) {
    const { lostRuns, settledRuns, settledEvents, failures } = report;
    if (lostRuns === 0) return 'nothing is lost: the database has all that the audit files hold';
    const done = way === 'from_audit' ? 'put back' : 'given up, on record';
    return [
      `${style.green(done)}: ${settledEvents} events of ${settledRuns} runs`,
      ...failures.slice(0, MAX_SHOWN).map(({ runId, message }) => `${runId}: ${message}`),
    ].join('\n');
  },
  failure({ report: { failures } }) {
    const [first] = failures;
    if (first === undefined) return undefined;
    return {
      exitCode: 1,
      error: {
        kind: 'runtime',
        operation: 'recover',
        target: first.runId,
        retryable: false,
        message: `${failures.length} runs could not be put back, first ${first.runId}: ${first.message}`,
        hint: 'claw audit verify tells more; claw recover --accept-loss goes on without them',
      },
    };
  },
});

function toWay(fromAudit: boolean, acceptLoss: boolean): Way {
  if (fromAudit === acceptLoss) {
    throw parseError('recover needs one of --from-audit and --accept-loss', {
      target: 'recover',
    });
  }
  return fromAudit ? 'from_audit' : 'accept_loss';
}
