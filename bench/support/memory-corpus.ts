import type { AgentId, MemoryId } from '../../src/core/ids.ts';
import type { IndexedMemory } from '../../src/core/memory/memory-index.ts';

export const DIMENSIONS = 512;
const WORDS = 30_000;
const CLUSTERS = 500;
const TURNS = 20;

/** Invented conversations: words as frequent as words are, unit vectors in clusters, the same every time. */
export function createCorpus(seed = 7): {
  memory(number: number): IndexedMemory;
  question(): { text: string; vectors: Float32Array[] };
} {
  const random = createRandom(seed);
  const centres = Array.from({ length: CLUSTERS }, () => unit(random));
  const vocabulary = Array.from({ length: WORDS }, (_, index) => spell(index));

  /** Zipf: the word of rank n comes about n times as seldom as the first. */
  function word(): string {
    return vocabulary[Math.floor(WORDS ** random()) - 1] ?? 'word';
  }

  function words(count: number): string {
    return Array.from({ length: count }, word).join(' ');
  }

  function vector(): Float32Array {
    return near(centres[Math.floor(random() * CLUSTERS)] ?? unit(random), random);
  }

  return {
    memory(number) {
      const text = words(8 + Math.floor(random() * 13));
      return {
        id: `mem_${String(number).padStart(8, '0')}` as MemoryId,
        owner: 'operator',
        agentId: 'agent' as AgentId,
        projectId: 'bench',
        sessionId: `session-${Math.floor(number / TURNS)}`,
        content: `${number % 2 === 0 ? 'Ana' : 'Tom'}: ${text}.`,
        source: 'chat',
        tags: [],
        timestampMs: 1_700_000_000_000 + number * 60_000,
        extra: {},
        priorityScore: 5,
        pinned: false,
        isPrivate: false,
        isTrusted: true,
        accessCount: 0,
        accessedAtMs: 0,
        createdAtMs: 0,
        updatedAtMs: 0,
        revision: number,
        vectors: [vector()],
      };
    },
    question: () => ({ text: words(3), vectors: [vector(), vector()] }),
  };
}

/** Syllables, so that stemming and splitting have something to do. */
function spell(index: number): string {
  const consonants = 'bcdfghklmnprstvz';
  const vowels = 'aeiou';
  let text = '';
  for (let rest = index + 17; rest > 0; rest = Math.floor(rest / 80)) {
    text += (consonants[rest % 16] ?? '') + (vowels[Math.floor(rest / 16) % 5] ?? '');
  }
  return `${text}x`;
}

function near(centre: Float32Array, random: () => number): Float32Array {
  return normalise(centre.map((value) => value + (random() - 0.5) * 0.06));
}

function unit(random: () => number): Float32Array {
  return normalise(Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5));
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
