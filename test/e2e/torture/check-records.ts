import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeAuditLine, encodeAuditLine } from '../../../src/core/records/audit-line.ts';
import { auditPath, bundlePath, bundlesPath } from '../../../src/core/records/record-paths.ts';
import { verifyAuditFiles } from '../../../src/storage/files/verify-audit-files.ts';
import type { StoredRun } from './check-run.ts';

const BUNDLE_FILES = [
  'events.jsonl',
  'input.json',
  'meta.json',
  'output.md',
  'prompt.md',
  'toolcalls.jsonl',
];

/** An ended run has its bundle, whole, with the same events as the log. */
export async function checkBundle(root: string, { run, events }: StoredRun): Promise<string[]> {
  const directory = join(root, bundlePath(run.agentId, run.id));
  const names = (await readdir(directory).catch(() => [])).sort();
  if (names.join() !== BUNDLE_FILES.join()) {
    return [`${run.id}: its bundle has ${names.join(', ') || 'no files'}`];
  }
  const expected = events.map((event) => `${encodeAuditLine(event).json}\n`).join('');
  const actual = await readFile(join(directory, 'events.jsonl'), 'utf8');
  return actual === expected ? [] : [`${run.id}: its bundle holds other events than the log`];
}

/** Every event has one line, and the files verify by themselves. */
export async function checkAudit(root: string, stored: readonly StoredRun[]): Promise<string[]> {
  const violations: string[] = [];
  const agentIds = new Set(stored.map(({ run }) => run.agentId));
  const missing = new Set<string>();
  for (const { events } of stored) {
    for (const event of events) missing.add(encodeAuditLine(event).json);
  }
  for (const path of await listFiles(root, [...agentIds].map(auditPath))) {
    const text = await readFile(join(root, path), 'utf8');
    for (const line of text.split('\n')) {
      // A torn line counts for nothing; the verification below tells whether its event follows whole.
      if (missing.delete(line) || decodeAuditLine(line) === undefined) continue;
      violations.push(`${path} has a line twice or of no event: ${line.slice(0, 120)}`);
    }
  }
  if (missing.size > 0) violations.push(`audit files lack ${missing.size} events`);
  const report = await verifyAuditFiles({ root });
  if (!report.ok) violations.push(`audit files do not verify: ${JSON.stringify(report.faults[0])}`);
  if (report.runs !== stored.length || report.openRuns !== 0) {
    violations.push(`audit files hold ${report.runs} runs, ${report.openRuns} of them open`);
  }
  const bundles = await listFiles(root, [...agentIds].map(bundlesPath));
  const leftovers = bundles.filter((path) => basename(path).startsWith('.'));
  if (leftovers.length > 0) violations.push(`half bundles are left: ${leftovers[0]}`);
  return violations;
}

async function listFiles(root: string, directories: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const directory of directories) {
    for (const name of await readdir(join(root, directory))) paths.push(join(directory, name));
  }
  return paths;
}
