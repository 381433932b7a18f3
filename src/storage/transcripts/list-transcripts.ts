import { findTimeInId } from '../../core/transcripts/transcript-id.ts';
import type { TranscriptList, TranscriptSummary } from '../../core/transcripts/transcript-store.ts';
import { MAX_TIME_MS } from '../../core/transcripts/transcript-time.ts';
import { type FoundTranscript, type ReadDeps, readTranscript } from './read-transcript.ts';
import {
  compareDates,
  type DatedFile,
  inBatches,
  scanTranscripts,
  sortByUpdate,
} from './scan-transcripts.ts';
import { isOfWorkspace, type TranscriptFile, type TranscriptPlaces } from './transcript-places.ts';

/** Looked at in one listing, newest files first. */
const MAX_SCANNED = 10_000;
/** Read at a time: transcripts of other workspaces are left out, so that more than asked for may have to be read. */
const PAGE = 64;

interface Listed extends DatedFile {
  readonly summary: TranscriptSummary;
}

export async function listTranscripts(
  places: TranscriptPlaces,
  deps: ReadDeps,
  limit: number,
): Promise<TranscriptList> {
  const found = await scanTranscripts(places);
  const files = found.slice(0, MAX_SCANNED);
  const ordered = files.length <= limit ? files : await sortByUpdate(files);
  const listed: Listed[] = [];
  let next = 0;
  while (next < ordered.length && listed.length < limit) {
    const page = ordered.slice(next, next + Math.min(PAGE, limit - listed.length));
    next += page.length;
    const read = await inBatches(page, (file) => summarize(file, places, deps));
    listed.push(...read.flatMap((summary) => summary ?? []));
  }
  return {
    transcripts: listed.sort(compareDates).map(({ summary }) => summary),
    isCut: next < ordered.length || files.length < found.length,
  };
}

/** Undefined for one that is gone by now or belongs to another workspace. */
async function summarize(
  file: DatedFile,
  places: TranscriptPlaces,
  deps: ReadDeps,
): Promise<Listed | undefined> {
  // What the disk refuses of one file must not hide the others.
  const read = await readTranscript(file, deps).catch(() => undefined);
  if (read?.outcome === 'missing') return undefined;
  if (read?.outcome !== 'found') return { ...file, updatedAtMs: 0, summary: toUnreadable(file) };
  if (!(await isOfWorkspace(places, read.document.meta.workspaceRoot))) return undefined;
  const summary = toSummary(file, read);
  return { ...file, updatedAtMs: summary.updatedAtMs, summary };
}

function toSummary(file: TranscriptFile, read: FoundTranscript): TranscriptSummary {
  const { messages } = read.document;
  return {
    id: file.id,
    path: file.path,
    ...toTimes(file.id, read),
    messageCount: messages.length,
    promptCount: messages.filter(({ role }) => role === 'user').length,
    isReadable: true,
  };
}

/** What a file does not say of itself, its name or its date does. */
export function toTimes(id: string, { document, mtimeMs }: FoundTranscript) {
  const updatedAtMs = document.meta.updatedAtMs ?? toTime(mtimeMs);
  return {
    createdAtMs: document.meta.createdAtMs ?? findTimeInId(id) ?? updatedAtMs,
    updatedAtMs,
  };
}

/** Anybody can give a file a date that no timestamp can show. */
function toTime(mtimeMs: number): number {
  return Math.min(Math.max(Math.floor(mtimeMs), 0), MAX_TIME_MS);
}

function toUnreadable({ id, path }: TranscriptFile): TranscriptSummary {
  return {
    id,
    path,
    createdAtMs: findTimeInId(id) ?? 0,
    updatedAtMs: 0,
    messageCount: 0,
    promptCount: 0,
    isReadable: false,
  };
}
