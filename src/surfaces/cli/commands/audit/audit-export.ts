import { resolve } from 'node:path';
import { RuntimeError } from '../../../../core/errors.ts';
import { type Event, isTerminalEvent } from '../../../../core/events/event.ts';
import { verifyChain } from '../../../../core/events/hash-chain.ts';
import type { RunId } from '../../../../core/ids.ts';
import { encodeExport } from '../../../../core/records/encode-export.ts';
import { verifyAudit } from '../../../../core/records/verify-audit.ts';
import { toKeyId } from '../../../../core/secrets/signing-key.ts';
import { createFile } from '../../../../platform/create-file.ts';
import { namingRun } from '../../ask/ask-runs.ts';
import { defineCommand } from '../../program/command.ts';
import type { CliContext, ReadOnlyStore } from '../../program/context.ts';
import { parseError } from '../../program/errors.ts';
import { createRunReader } from '../../store-readers.ts';
import { parseRunId } from '../runs/run-id-argument.ts';

const EVENTS_PER_PAGE = 500;

interface Exported {
  readonly runId: RunId;
  readonly content: string;
  readonly events: number;
  readonly hasEnded: boolean;
  readonly keyId: string;
  readonly file: string | undefined;
}

export const auditExport = defineCommand({
  usage: '--run RUN [-o FILE]',
  description:
    'Checks the record of one run, in the database and in the audit files, and writes it as one signed file. Who has it\n' +
    'and the key of claw audit key checks it with claw audit verify FILE --key PUB, anywhere. It holds what the run was\n' +
    'asked, did and answered. Without -o it goes to standard output. A file that exists is not written over.',
  args: { min: 0, max: 0 },
  options: {
    run: { kind: 'text', value: 'RUN', summary: 'the run to export' },
    out: { kind: 'text', short: 'o', value: 'FILE', summary: 'write to this new file' },
  },
  examples: [
    'claw audit export --run run_01jv8z4q0k6c -o run.jsonl',
    'claw audit verify run.jsonl --key node.pub',
  ],
  async run({ options }, context): Promise<Exported> {
    if (options.run === undefined) {
      throw parseError('audit export needs --run', { target: 'audit export' });
    }
    const runId = parseRunId(options.run, 'audit export');
    const { events, node } = await readRecord(context, runId);
    const key = await (await context.parts.openAuditKey(context.root)).get();
    const agentId = events[0]?.agentId ?? '';
    const nowMs = context.clock.nowMs();
    const content = encodeExport({ runId, agentId, node, events, nowMs }, key);
    const file = options.out === undefined ? undefined : resolve(options.out);
    if (file !== undefined && !(await createFile(file, content))) {
      throw new RuntimeError('conflict', `${file} exists already`, {
        details: { hint: 'name a new file; nothing is written over' },
      });
    }
    const hasEnded = events.some(isTerminalEvent);
    const keyId = toKeyId(key.publicKey);
    return { runId, content, events: events.length, hasEnded, keyId, file };
  },
  fields: ({ runId, content, events, hasEnded, keyId, file }) => ({
    run_id: runId,
    events_count: events,
    ended: hasEnded,
    fingerprint: keyId,
    file: file ?? null,
    content: file === undefined ? content : null,
  }),
  text({ runId, content, events, hasEnded, keyId, file }) {
    if (file === undefined) return content.trimEnd();
    const open = hasEnded ? '' : ', which has not ended';
    return `${events} events of ${runId}${open} are in ${file}, signed by ${keyId}`;
  },
});

interface RunRecord {
  readonly events: readonly Event[];
  readonly node: string | undefined;
}

/** Nothing is signed that does not stand up to a check of its own. */
async function readRecord(context: CliContext, runId: RunId): Promise<RunRecord> {
  const { parts, root, clock } = context;
  const store = await parts.openStore(root);
  try {
    await namingRun(runId, createRunReader(store, clock).get(runId));
    const files = await parts.openAuditReader(root);
    const { faults, elsewhere, node } = await verifyAudit({ store, files }, { only: runId });
    if (faults[0]) throw refuse(runId, `its record is not whole: ${faults[0].reason}`);
    const head = await store?.records.findHead(runId);
    const events =
      head && head.floor.seq > 0
        ? ((await files.readEvents(new Set([runId]))).get(runId) ?? [])
        : await readLog(store, runId);
    if (events.length > 0 && verifyChain(events).ok) return { events, node };
    const [holder] = elsewhere.keys();
    throw refuse(
      runId,
      holder === undefined ? 'its beginning is gone' : `its beginning is only on ${holder}`,
    );
  } finally {
    await store?.close();
  }
}

async function readLog(store: ReadOnlyStore | undefined, runId: RunId): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const page = (await store?.events.read(runId, { after, limit: EVENTS_PER_PAGE })) ?? [];
    events.push(...page);
    if (page.length < EVENTS_PER_PAGE) return events;
  }
}

function refuse(runId: RunId, why: string): RuntimeError {
  return new RuntimeError('conflict', `run ${runId} can't be exported: ${why}`, {
    details: { hint: `claw audit verify --run ${runId} tells more` },
  });
}
