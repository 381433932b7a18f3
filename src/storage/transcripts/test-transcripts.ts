import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import type {
  TranscriptMessage,
  TranscriptStore,
} from '../../core/transcripts/transcript-store.ts';
import { createTranscriptFiles } from './create-transcript-files.ts';

export interface TestTranscripts {
  readonly root: string;
  readonly store: TranscriptStore;
  /** Real but for the time, which the test moves. */
  readonly clock: Clock;
  nowMs: number;
  pathOf(id: string): string;
  /** Puts a file into the folder, as somebody else would. */
  put(name: string, content: string | Buffer): Promise<void>;
  listIds(limit?: number): Promise<{ ids: string[]; isCut: boolean }>;
  remove(): Promise<void>;
}

/** The transcripts of a workspace of its own. */
export async function openTestTranscripts(): Promise<TestTranscripts> {
  const temp = await openTempRoot();
  const clock = { ...systemClock, nowMs: () => test.nowMs };
  const store = await createTranscriptFiles({ root: temp.path, clock });
  const test: TestTranscripts = {
    root: temp.path,
    store,
    clock,
    nowMs: 1_775_777_421_902,
    pathOf: (id) => join(store.directory, `${id}.jsonl`),
    async put(name, content) {
      await mkdir(store.directory, { recursive: true });
      await writeFile(join(store.directory, name), content);
    },
    async listIds(limit = 100) {
      const { transcripts, isCut } = await store.list(limit);
      return { ids: transcripts.map(({ id }) => id), isCut };
    },
    remove: () => temp.remove(),
  };
  return test;
}

export function user(text: string): TranscriptMessage {
  return { role: 'user', blocks: [{ type: 'text', text }] };
}

/** The first line of a file. */
export function metaLine(id: string, more: object = {}): string {
  const record = { type: 'session_meta', version: 1, session_id: id, created_at_ms: 10 };
  return `${JSON.stringify({ ...record, updated_at_ms: 20, ...more })}\n`;
}

export function messageLine(text: string): string {
  return `${JSON.stringify({ type: 'message', message: user(text) })}\n`;
}
