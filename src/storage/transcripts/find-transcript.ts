import { isNewestWord, isTranscriptId } from '../../core/transcripts/transcript-id.ts';
import type { Transcript, TranscriptUsage } from '../../core/transcripts/transcript-store.ts';
import { listTranscripts, toTimes } from './list-transcripts.ts';
import {
  type FoundTranscript,
  type ReadDeps,
  readTranscript,
  type TranscriptRead,
} from './read-transcript.ts';
import { badReference, loadFailed, notFound } from './transcript-faults.ts';
import {
  doesExist,
  findFile,
  isOfWorkspace,
  isPathReference,
  parsePathReference,
  type TranscriptFile,
  type TranscriptPlaces,
} from './transcript-places.ts';

export interface FoundFile {
  readonly file: TranscriptFile;
  readonly read: FoundTranscript;
}

/** The newest one may be unreadable; so many of them and there is something else to see to. */
const NEWEST_WINDOW = 16;

/** The file that a reference means. Nothing is looked up before it is known to be one. */
export async function getFile(
  places: TranscriptPlaces,
  deps: ReadDeps,
  reference: string,
): Promise<TranscriptFile> {
  if (isNewestWord(reference)) {
    const { transcripts } = await listTranscripts(places, deps, NEWEST_WINDOW);
    const newest = transcripts.find(({ isReadable }) => isReadable);
    if (newest === undefined) throw notFound(reference, places.directory);
    return { id: newest.id, path: newest.path };
  }
  if (isPathReference(reference)) {
    const file = await parsePathReference(places, reference);
    if (await doesExist(file.path)) return file;
    throw notFound(reference, places.directory);
  }
  const file = await findFile(places, parseId(reference));
  if (file === undefined) throw notFound(reference, places.directory);
  return file;
}

export function parseId(id: string): string {
  if (!isTranscriptId(id)) throw badReference(id, 'is not an id');
  return id;
}

export async function loadFile(
  places: TranscriptPlaces,
  deps: ReadDeps,
  file: TranscriptFile,
): Promise<FoundFile> {
  return { file, read: await assertFound(places, file, await readTranscript(file, deps)) };
}

export async function assertFound(
  places: TranscriptPlaces,
  { id, path }: TranscriptFile,
  read: TranscriptRead,
): Promise<FoundTranscript> {
  if (read.outcome === 'missing') throw notFound(id, places.directory);
  if (read.outcome === 'corrupt') {
    throw loadFailed(id, { path, reason: read.reason, line: read.line });
  }
  const { workspaceRoot } = read.document.meta;
  if (await isOfWorkspace(places, workspaceRoot)) return read;
  const reason = `it belongs to the workspace ${workspaceRoot ?? ''}`;
  throw loadFailed(id, { path, reason, retryable: false });
}

export function toTranscript({ file, read }: FoundFile): Transcript {
  const { meta, messages, compaction, promptHistory } = read.document;
  return {
    id: file.id,
    path: file.path,
    ...toTimes(file.id, read),
    workspaceRoot: meta.workspaceRoot,
    model: meta.model,
    parentId: meta.parentId,
    messages,
    compaction,
    promptHistory,
    usage: sumUsage(messages.flatMap(({ usage }) => usage ?? [])),
    hasTornTail: read.hasTornTail,
  };
}

function sumUsage(usages: readonly TranscriptUsage[]): TranscriptUsage {
  let [inputTokens, outputTokens] = [0, 0];
  for (const usage of usages) {
    inputTokens += usage.inputTokens;
    outputTokens += usage.outputTokens;
  }
  return { inputTokens, outputTokens };
}
