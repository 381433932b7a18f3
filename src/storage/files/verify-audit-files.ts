import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_ID_PATTERN } from '../../core/ids.ts';
import { decodeHead, HEAD_PREFIX } from '../../core/records/audit-head.ts';
import type { AuditFileFault, SignatureReport } from '../../core/records/audit-reader.ts';
import { AGENTS_PATH, auditPath } from '../../core/records/record-paths.ts';
import { ALL_RUNS } from '../../core/records/run-part.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { readAnchor } from './audit-anchors.ts';
import { AuditCheck, type AuditCheckOptions, type AuditReport } from './audit-check.ts';
import { listAuditFiles } from './find-audited-seqs.ts';
import { type AnchoredHead, HeadCheck } from './head-check.ts';
import { readLossBook } from './loss-book.ts';
import { mergeFaults } from './merge-faults.ts';
import { readNodeId } from './node-id.ts';
import { type Line, readLines } from './read-lines.ts';

export interface VerifyAuditFiles extends Omit<AuditCheckOptions, 'losses' | 'node'> {
  readonly root: string;
  /** Cuts the check off; the report says so. */
  readonly signal?: AbortSignal;
}

/** Checks every audit file under a state root on its own: no database, no server. */
export async function verifyAuditFiles(options: VerifyAuditFiles): Promise<SignedAuditReport> {
  const { root, part = ALL_RUNS, only, signal } = options;
  const check = new AuditCheck({
    ...options,
    losses: await readLossBook(root),
    node: await readNodeId(root),
  });
  // Heads are about all runs, so the first reading tells of them.
  const heads = part.residue === 0 && only === undefined ? await openHeadCheck(root) : undefined;
  for await (const { file, lines } of readAuditFiles(root)) {
    if (signal?.aborted) return { ...check.finish(false), signatures: undefined };
    if (lines[0]?.number === 1) {
      heads?.endFile();
      heads?.beginFile(file);
      check.beginFile();
    }
    for (const line of lines) {
      if (heads?.takeLine(line) ?? isHead(line)) continue;
      check.takeLine(line, { file, line: line.number });
    }
  }
  heads?.endFile();
  const report = check.finish();
  if (heads === undefined) return { ...report, signatures: undefined };
  const { faults: headFaults, unproven: _unproven, ...signatures } = heads.finish();
  const faults = mergeFaults(report.faults, headFaults);
  return { ...report, faults, ok: faults.length === 0, signatures };
}

export interface SignedAuditReport extends Omit<AuditReport, 'faults'> {
  readonly faults: readonly AuditFileFault[];
  readonly signatures: SignatureReport | undefined;
}

/** Files may be written meanwhile, and their oldest moved away; but none may end before its anchor. */
async function openHeadCheck(root: string): Promise<HeadCheck> {
  const anchors: AnchoredHead[] = [];
  for (const agentId of await listAgents(root)) {
    const head = await readAnchor(root, agentId);
    if (head) anchors.push({ path: `${auditPath(agentId)}/${head.file}`, head });
  }
  // A root that was restored without its secrets goes on with another key, so any counts; the report names them.
  return new HeadCheck({ isPart: true, mayBeOpen: true, anchors });
}

function isHead({ text }: Line): boolean {
  return text?.startsWith(HEAD_PREFIX) === true && decodeHead(text) !== undefined;
}

export interface AuditPage {
  /** Relative to the state root. */
  readonly file: string;
  readonly lines: readonly Line[];
}

/** The lines of all agents, each agent's in the order of their days. An empty file has none. */
export async function* readAuditFiles(root: string): AsyncGenerator<AuditPage> {
  for (const agentId of await listAgents(root)) {
    const directory = auditPath(agentId);
    for (const name of await listAuditFiles(join(root, directory))) {
      const file = `${directory}/${name}`;
      for await (const lines of readLines(join(root, file))) yield { file, lines };
    }
  }
}

export async function listAgents(root: string): Promise<string[]> {
  const names = await readdir(join(root, AGENTS_PATH)).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => AGENT_ID_PATTERN.test(name)).sort();
}
