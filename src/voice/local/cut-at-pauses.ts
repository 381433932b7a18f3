/** Attention grows with the square of what is heard at once: 25 seconds took the model eight, 60 took it 35. */
const MAX_PART_SECONDS = 15;
/** A pause is looked for in the last third of a part. */
const MIN_PART_SECONDS = 10;
const WINDOW_SECONDS = 0.1;

/** Parts that are short enough for the model, each cut where it is most quiet. */
export function cutAtPauses(samples: Float32Array, rate: number): Float32Array[] {
  const parts: Float32Array[] = [];
  let start = 0;
  while (samples.length - start > MAX_PART_SECONDS * rate) {
    const end = findPause(samples, start + MIN_PART_SECONDS * rate, {
      until: start + MAX_PART_SECONDS * rate,
      window: Math.round(WINDOW_SECONDS * rate),
    });
    parts.push(samples.subarray(start, end));
    start = end;
  }
  parts.push(samples.subarray(start));
  return parts;
}

interface Search {
  readonly until: number;
  readonly window: number;
}

/** The middle of the most quiet window. */
function findPause(samples: Float32Array, from: number, { until, window }: Search): number {
  let best = until;
  let least = Number.POSITIVE_INFINITY;
  for (let start = from; start + window <= until; start += window) {
    const loudness = samples.subarray(start, start + window).reduce((sum, x) => sum + x * x, 0);
    if (loudness >= least) continue;
    least = loudness;
    best = start + Math.floor(window / 2);
  }
  return best;
}
