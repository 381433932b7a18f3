import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Vectors of texts on disk, one file each: embedding thousands of turns takes a minute, reading them a second. */
export interface VectorCache {
  /** In the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

export interface VectorCacheConfig {
  readonly folder: string;
  readonly model: string;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}

const BATCH = 64;

export function openVectorCache({ folder, model, embed }: VectorCacheConfig): VectorCache {
  mkdirSync(folder, { recursive: true });
  const known = new Map<string, Float32Array>();

  function fileOf(text: string): string {
    const name = createHash('sha256').update(`${model}\0${text}`).digest('hex').slice(0, 32);
    return join(folder, name);
  }

  function find(text: string): Float32Array | undefined {
    const seen = known.get(text);
    if (seen) return seen;
    try {
      const bytes = Uint8Array.from(readFileSync(fileOf(text)));
      const vector = new Float32Array(bytes.buffer);
      known.set(text, vector);
      return vector;
    } catch {
      return undefined;
    }
  }

  return {
    async embed(texts) {
      const missing = [...new Set(texts)].filter((text) => !find(text));
      // Of one length together: a batch takes as long as its longest text.
      missing.sort((a, b) => a.length - b.length);
      for (let start = 0; start < missing.length; start += BATCH) {
        const batch = missing.slice(start, start + BATCH);
        const vectors = await embed(batch);
        batch.forEach((text, index) => {
          const vector = vectors[index] ?? new Float32Array();
          writeFileSync(fileOf(text), new Uint8Array(vector.slice().buffer));
          known.set(text, vector);
        });
      }
      return texts.map((text) => find(text) ?? new Float32Array());
    },
  };
}
