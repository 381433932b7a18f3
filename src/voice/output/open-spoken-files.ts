import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { AUDIO_FORMATS } from '../../core/voice/audio.ts';
import type { SpokenFiles } from '../../core/voice/speech.ts';
import { createFile } from '../../platform/create-file.ts';
import { makeDirectory } from '../../platform/owner-only.ts';

export interface SpokenFilesConfig {
  /** Asked each time, as the age is: the configuration may change. */
  readonly folder: () => string;
  readonly maxAgeMs: () => number;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
}

export interface OpenedSpokenFiles extends SpokenFiles {
  close(): void;
}

const NAME = /^tts_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(mp3|wav)$/;
/** Answers of a busy day; at ten megabytes for the longest, the oldest make room. */
const MAX_FILES = 1_000;
const SWEEP_MS = 10 * 60_000;

/** Spoken answers in a folder. Old ones are gone for readers at once, and from the disk soon after. */
export function openSpokenFiles(config: SpokenFilesConfig): OpenedSpokenFiles {
  const { clock } = config;
  let cancelSweep = () => {};

  /** Only while there is something to remove. */
  function sweepLater(): void {
    cancelSweep();
    cancelSweep = clock.after(SWEEP_MS, () => {
      const again = (left: number) => {
        if (left > 0) sweepLater();
      };
      // A folder that can't be read now may be readable later.
      sweep().then(again, () => again(1));
    });
  }

  async function sweep(): Promise<number> {
    const folder = config.folder();
    const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
    const ages = await Promise.all(
      names.map(async (name) => ({ name, ageMs: await ageOf(join(folder, name)) })),
    );
    const youngestFirst = ages.sort((a, b) => a.ageMs - b.ageMs);
    const old = youngestFirst.filter(
      ({ ageMs }, place) => place >= MAX_FILES || ageMs > config.maxAgeMs(),
    );
    for (const { name } of old) await rm(join(folder, name), { force: true });
    return names.length - old.length;
  }

  async function ageOf(path: string): Promise<number> {
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() ? clock.nowMs() - found.mtimeMs : Number.POSITIVE_INFINITY;
  }

  return {
    async save({ bytes, format }) {
      const folder = config.folder();
      await makeDirectory(folder);
      const name = `tts_${randomUUID()}.${format}`;
      await createFile(join(folder, name), bytes);
      await sweep();
      sweepLater();
      return name;
    },

    async find(name) {
      const format = NAME.exec(name)?.[1] as 'mp3' | 'wav' | undefined;
      if (format === undefined) return undefined;
      const path = join(config.folder(), name);
      if ((await ageOf(path)) > config.maxAgeMs()) return undefined;
      return { path, mediaType: AUDIO_FORMATS[format].mediaType };
    },

    close: () => cancelSweep(),
  };
}
