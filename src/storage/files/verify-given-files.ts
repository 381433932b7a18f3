import { stat } from 'node:fs/promises';
import { RuntimeError } from '../../core/errors.ts';
import type { AuditFileFault, GivenFilesReport } from '../../core/records/audit-reader.ts';
import { ALL_RUNS, type RunPart } from '../../core/records/run-part.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { AuditCheck } from './audit-check.ts';
import { HeadCheck, type LineRange } from './head-check.ts';
import { mergeFaults } from './merge-faults.ts';
import { readLines } from './read-lines.ts';

export interface VerifyGivenFiles {
  /** In the order of their days. */
  readonly files: readonly string[];
  /** Public keys in base64; undefined takes whoever signed. */
  readonly trusted: readonly string[] | undefined;
  readonly isPart: boolean;
  readonly onProgress?: (lines: number) => void;
}

/** Checks audit files with nothing but themselves: what somebody can do who was handed them. */
export async function verifyGivenFiles(request: VerifyGivenFiles): Promise<GivenFilesReport> {
  for (const file of request.files) await assertReadable(file);
  const { trusted, isPart } = request;
  const heads = new HeadCheck({ trusted, isPart, mayBeOpen: false });
  const parts: RunPart[] = [ALL_RUNS];
  const events: AuditFileFault[] = [];
  let runs = 0;
  let lines = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const check = new AuditCheck({ part });
    const isFirst = part === ALL_RUNS;
    await readAll(request, check, isFirst ? heads : new HeadCheck({ isPart, mayBeOpen: true }));
    const report = check.finish();
    runs += report.runs;
    if (isFirst) lines = report.lines;
    events.push(...report.faults);
    parts.push(...report.rest);
  }
  const { faults, unproven, ...signatures } = heads.finish();
  const isCounted = (fault: AuditFileFault) => countsAlways(fault) || isWithin(unproven, fault);
  const order = new Map(request.files.map((file, index) => [file, index]));
  const merged = mergeFaults(events.filter(isCounted), faults).sort(
    (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line,
  );
  return { files: request.files.length, lines, runs, signatures, faults: merged };
}

async function readAll(
  { files, onProgress }: VerifyGivenFiles,
  check: AuditCheck,
  heads: HeadCheck,
): Promise<void> {
  let count = 0;
  for (const file of files) {
    heads.beginFile(file);
    check.beginFile();
    for await (const lines of readLines(file)) {
      for (const line of lines) {
        if (!heads.takeLine(line)) check.takeLine(line, { file, line: line.number });
      }
      count += lines.length;
      onProgress?.(count);
    }
    heads.endFile();
  }
}

/**
 * In what was signed as it is, a run may begin in the middle, because it is part of the history, or anew, where the
 * operator gave events up. A line that does not fit its own hash was wrong before it was signed.
 */
function countsAlways({ kind }: AuditFileFault): boolean {
  return kind === 'altered' || kind === 'torn';
}

function isWithin(ranges: readonly LineRange[], { file, line }: AuditFileFault): boolean {
  return ranges.some((range) => range.file === file && line >= range.from && line <= range.through);
}

async function assertReadable(file: string): Promise<void> {
  const found = await stat(file).catch((error: unknown) => {
    throw new RuntimeError('invalid_input', `${file} can't be read: ${errnoOf(error) ?? error}`);
  });
  if (!found.isFile()) throw new RuntimeError('invalid_input', `${file} is not a file`);
}
