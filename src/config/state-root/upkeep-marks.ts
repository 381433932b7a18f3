import { readFile } from 'node:fs/promises';
import { toIso } from '../../core/clock.ts';
import { isJsonObject } from '../../core/json.ts';
import type { AuditMark, BackupMark } from '../../core/security/security-facts.ts';
import { replaceStateFile } from './state-file.ts';
import type { StatePaths } from './state-paths.ts';

/**
 * When the records were verified and the last backup was made: files of the state root, one for each, since a command
 * may leave its mark beside a running server. They are hints for the security checklist; one that can't be read is none.
 */
export async function leaveAuditMark(paths: StatePaths, mark: AuditMark): Promise<void> {
  await writeMark(paths.auditMarkFile, { at: toIso(mark.atMs), faults: mark.faults });
}

export async function leaveBackupMark(paths: StatePaths, mark: BackupMark): Promise<void> {
  await writeMark(paths.backupMarkFile, { at: toIso(mark.atMs), file: mark.file });
}

export async function findAuditMark({ auditMarkFile }: StatePaths): Promise<AuditMark | undefined> {
  const { atMs, mark } = await readMark(auditMarkFile);
  const { faults } = mark;
  if (atMs === undefined || !Number.isSafeInteger(faults)) return undefined;
  return { atMs, faults: faults as number };
}

export async function findBackupMark({
  backupMarkFile,
}: StatePaths): Promise<BackupMark | undefined> {
  const { atMs, mark } = await readMark(backupMarkFile);
  const { file } = mark;
  return atMs === undefined || typeof file !== 'string' ? undefined : { atMs, file };
}

function writeMark(path: string, mark: object): Promise<void> {
  return replaceStateFile(path, `${JSON.stringify(mark, null, 2)}\n`);
}

async function readMark(path: string) {
  const value = await readFile(path, 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => undefined);
  const mark: Readonly<Record<string, unknown>> = isJsonObject(value) ? value : {};
  const atMs = typeof mark['at'] === 'string' ? Date.parse(mark['at']) : Number.NaN;
  return { mark, atMs: Number.isNaN(atMs) ? undefined : atMs };
}
