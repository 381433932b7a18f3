import { type AgentDirectory, toAgentId } from '../../core/agents/resolve-agent.ts';
import type { RunId } from '../../core/ids.ts';
import type { Audit } from '../../core/records/audit.ts';
import type { EntryFilter } from '../../core/records/list-entries.ts';
import {
  type AnyOperation,
  answer,
  declarationsWith,
  operationsWith,
  Reply,
  stream,
} from '../operation.ts';
import {
  decodeEntryFilter,
  decodePlace,
  encodeEntryPage,
  encodeLines,
  encodeVerification,
} from './audit-codec.ts';
import type { EntryQueryShape } from './audit-shapes.ts';

interface AuditReading {
  readonly audit: Audit;
  readonly agents: AgentDirectory;
}

const shapes = () => import('./audit-shapes.ts');
const define = operationsWith(shapes);
const declare = declarationsWith(shapes);

const TAGS = ['audit'];
const AUDIT = '/api/admin/audit';

export const listEntries = define({
  name: 'audit.list',
  method: 'GET',
  path: AUDIT,
  effect: 'read',
  summary: 'Look through the records',
  description:
    'The events of all runs, newest first, without `model.delta` unless `types` names it. A page may be short and there is ' +
    'more behind it: only `next_cursor: null` marks the end.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ entryQuery, entryPage }) => ({
    query: entryQuery,
    answers: { 200: answer('Entries, newest first.', entryPage) },
  }),
  async run({ audit, agents }: AuditReading, { query: { limit, cursor, ...query } }) {
    const filter = await toFilter(agents, query);
    const before = cursor === undefined ? {} : { before: decodePlace(cursor) };
    return encodeEntryPage(await audit.list({ ...filter, limit, ...before }));
  },
});

export const exportEntries = define({
  name: 'audit.export',
  method: 'GET',
  path: `${AUDIT}/export`,
  effect: 'read',
  files: { answer: 'application/x-ndjson' },
  summary: 'Download the records',
  description:
    'All entries that fit, newest first, each a line as it stands in audit files. `claw audit export` signs those of a run.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ exportQuery, exportedLines }) => ({
    query: exportQuery,
    answers: { 200: answer('JSON Lines.', exportedLines) },
  }),
  async run({ audit, agents }: AuditReading, { query }) {
    const pages = audit.walk(await toFilter(agents, query));
    // What can be refused is refused before the first byte.
    const first = await pages.next();
    return new Reply(200, toLines(first, pages), {
      'content-disposition': 'attachment; filename="audit.jsonl"',
    });
  },
});

type Pages = ReturnType<Audit['walk']>;

async function* toLines(first: Awaited<ReturnType<Pages['next']>>, pages: Pages) {
  if (first.done) return;
  yield encodeLines(first.value);
  for await (const events of pages) yield encodeLines(events);
}

/** Agents are named as everywhere. */
async function toFilter(agents: AgentDirectory, query: EntryQueryShape): Promise<EntryFilter> {
  const filter = decodeEntryFilter(query);
  if (filter.agentId === undefined) return filter;
  return { ...filter, agentId: await toAgentId(agents, filter.agentId) };
}

/** Only HTTP serves it: a command has its own way to show how far it is. */
export const watchVerification = declare({
  name: 'audit.watch_verification',
  method: 'GET',
  path: `${AUDIT}/verification`,
  effect: 'read',
  summary: 'Verify the records and watch',
  description:
    'Server-sent events: `progress` now and then, and `done` with what was found, as of `POST /api/admin/audit/verify` but ' +
    'without its bound in time. The check ends when the reader leaves. One check at a time, else 409.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 429, 500, 503],
  wire: ({ verificationQuery, verificationStep }) => ({
    query: verificationQuery,
    answers: { 200: stream('How far it is, and what was found.', verificationStep) },
  }),
});

const verifyRecords = define({
  name: 'audit.verify',
  method: 'POST',
  path: `${AUDIT}/verify`,
  effect: 'read',
  summary: 'Verify the records',
  description:
    'Recomputes the hash chains in the database and in the audit files, of all runs or of one. One check at a time, ' +
    'else 409. It ends after 20 seconds; `complete` then is false, and the command line can check the rest.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ verifyBody, auditVerdict }) => ({
    body: verifyBody,
    answers: { 200: answer('What was found.', auditVerdict) },
  }),
  async run({ audit }: AuditReading, { body }) {
    const runId = body?.run_id;
    const verdict = await audit.verify(runId === undefined ? {} : { runId: runId as RunId });
    return encodeVerification(verdict);
  },
});

/** In the order of the documentation. */
export const AUDIT_OPERATIONS: readonly AnyOperation<AuditReading>[] = [
  listEntries,
  exportEntries,
  verifyRecords,
];
