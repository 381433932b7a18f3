import { createHash } from 'node:crypto';
import type { Event } from '../events/event.ts';
import type { RunId } from '../ids.ts';
import type { SigningKey } from '../secrets/signing-key.ts';
import { encodeHead, FIRST_HEAD } from './audit-head.ts';
import { encodeAuditLine } from './audit-line.ts';

export interface ExportedRun {
  readonly runId: RunId;
  readonly agentId: string;
  readonly node: string | undefined;
  /** From the first on. */
  readonly events: readonly Event[];
  readonly nowMs: number;
}

/**
 * The lines of one run and a head that signs them, as an audit file of its own: the daily files mix it with other runs,
 * which are nobody else's business.
 */
export function encodeExport(run: ExportedRun, key: SigningKey): string {
  const lines = run.events.map((event) => `${encodeAuditLine(event).json}\n`).join('');
  const count = run.events.length;
  const head = encodeHead(
    {
      atMs: run.nowMs,
      agentId: run.agentId,
      node: run.node,
      file: `export/${run.runId}.jsonl`,
      number: 1,
      lines: count,
      fileLines: count,
      total: count,
      digest: createHash('sha256').update(lines).digest('hex'),
      prevHead: FIRST_HEAD,
      before: undefined,
      reason: 'export',
    },
    key,
  );
  return `${lines}${head}\n`;
}
