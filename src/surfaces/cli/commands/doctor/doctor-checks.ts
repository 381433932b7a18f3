import { constants } from 'node:fs';
import { access, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RECOVER_FIX } from '../../../../core/records/assert-nothing-lost.ts';
import { judgeNode, OLDEST_NODE, RECOMMENDED_NODE } from '../../../../core/security/judge-node.ts';
import type { CheckStatus } from '../../../../core/security/judgement.ts';
import { errnoOf } from '../../../../platform/errno-of.ts';
import { FILE_MODE } from '../../../../platform/owner-only.ts';
import { toTemporaryPath } from '../../../../platform/temporary-path.ts';
import type { Diagnosis, StoreState } from './diagnosis.ts';

export interface Finding {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly summary: string;
  readonly fix?: string;
}

/** What a check says; its name is its place in the list. */
export type Verdict = Omit<Finding, 'name'>;

const LOW_DISK_BYTES = 1024 ** 3;
const FULL_DISK_BYTES = 64 * 1024 ** 2;
/** Four times what the database leaves behind when it is idle: something keeps it from tidying up. */
const LONG_LOG_BYTES = 64 * 1024 ** 2;

const STATUSES = { pass: 'ok', warn: 'warn', fail: 'fail' } as const;

/** The core judges, for the security checklist too; the words here are the doctor's. */
export function toDoctorStatus(status: CheckStatus): Finding['status'] {
  return STATUSES[status];
}

export function checkNode(version: string): Verdict {
  const { status, isRecommended } = judgeNode(version);
  if (status === 'fail') {
    return {
      status,
      summary: `Node ${version} is too old`,
      fix: `install Node ${OLDEST_NODE} or newer, ${RECOMMENDED_NODE} is recommended`,
    };
  }
  const advice = isRecommended ? '' : ` (${RECOMMENDED_NODE} is recommended)`;
  return { status: 'ok', summary: `Node ${version}${advice}` };
}

export async function checkStateRoot(root: string, stateDir: string): Promise<Verdict> {
  const [existing, deepest] = await Promise.all([findExisting(root), findExisting(stateDir)]);
  const problem = await findFolderProblem(deepest, deepest === stateDir);
  if (problem) return problem;
  if (deepest === stateDir)
    return { status: 'ok', summary: `${root} is in use and can be written` };
  const creates = existing === root ? 'is empty yet' : 'does not exist yet';
  return { status: 'ok', summary: `${root} ${creates}: claw init fills it` };
}

export async function checkWorkspace(workspaceDir: string): Promise<Verdict> {
  const deepest = await findExisting(workspaceDir);
  const problem = await findFolderProblem(deepest, deepest === workspaceDir);
  if (problem) return problem;
  return deepest === workspaceDir
    ? { status: 'ok', summary: `${workspaceDir} can be written` }
    : { status: 'ok', summary: `${workspaceDir} does not exist yet: the first start makes it` };
}

export async function checkDisk(root: string): Promise<Verdict> {
  const place = await findExisting(root);
  const { bavail, bsize } = await statfs(place);
  const freeBytes = bavail * bsize;
  const summary = `${(freeBytes / 1024 ** 3).toFixed(1)} GiB free at ${place}`;
  const fix = 'free some space, or choose another disk with --root';
  if (freeBytes < FULL_DISK_BYTES) return { status: 'fail', summary, fix };
  return freeBytes < LOW_DISK_BYTES ? { status: 'warn', summary, fix } : { status: 'ok', summary };
}

export function checkStore({ state, summary, logBytes = 0 }: StoreState): Verdict {
  if (state === 'old') {
    return { status: 'warn', summary, fix: 'claw serve migrates it; make a backup first' };
  }
  if (logBytes <= LONG_LOG_BYTES) return { status: 'ok', summary };
  return {
    status: 'warn',
    summary: `${summary}; its log has grown to ${Math.round(logBytes / 1024 ** 2)} MiB`,
    fix: 'end programs that keep the database open for reading, as backups do, or restart the server',
  };
}

export function checkRecords(lostRuns: number): Verdict {
  if (lostRuns === 0) return { status: 'ok', summary: 'the database has the newest audit lines' };
  return {
    status: 'fail',
    summary: `the database has lost events that the audit files hold, or was rolled back: ${lostRuns} of the newest runs`,
    fix: RECOVER_FIX,
  };
}

export async function checkModel(diagnosis: Diagnosis): Promise<Verdict> {
  const { reference, isOffline } = await diagnosis.describeModel();
  if (isOffline) {
    return {
      status: 'warn',
      summary: `${reference}: no real model is configured`,
      fix: 'claw secrets set provider/anthropic/api_key (or provider/openai/api_key), or set CLAW_MODEL',
    };
  }
  return { status: 'ok', summary: reference };
}

/** Only in folders of our own something is written; others belong to whoever made them. */
async function findFolderProblem(path: string, isOwn: boolean): Promise<Verdict | undefined> {
  if (!(await stat(path)).isDirectory()) {
    return {
      status: 'fail',
      summary: `${path} is a file where a folder should be`,
      fix: `move ${path} away`,
    };
  }
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (isOwn) await tryWrite(path);
    return undefined;
  } catch (error) {
    const isFull = errnoOf(error) === 'ENOSPC' || errnoOf(error) === 'EDQUOT';
    if (isFull) {
      return { status: 'fail', summary: `${path} has no room left`, fix: 'free some disk space' };
    }
    return {
      status: 'fail',
      summary: `${path} can't be written`,
      fix: `chown or chmod ${path}, or choose another with --root`,
    };
  }
}

const PROBE_BYTES = 4_096;

/** Who may write can do so only while there is room, and a full disk still takes empty files. */
async function tryWrite(folder: string): Promise<void> {
  const file = toTemporaryPath(join(folder, 'doctor'));
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { flag: 'wx', mode: FILE_MODE });
  } finally {
    await rm(file, { force: true });
  }
}

/** The path itself or the nearest folder above it that is there. */
async function findExisting(path: string): Promise<string> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  const above = dirname(path);
  return isThere || above === path ? path : findExisting(above);
}
