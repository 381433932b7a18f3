import type { Floats } from './use-lite-tensors.ts';

interface Normalization {
  readonly source: Floats;
  readonly target: Floats;
  readonly rows: number;
  readonly scale: Floats;
  readonly bias: Floats;
}

const NORM_EPSILON = 1e-6;

/** Each row with mean 0 and variance 1, then scaled and moved as the model learned. */
export function normalizeRows({ source, target, rows, scale, bias }: Normalization): void {
  const [from, to] = [source.values, target.values];
  const width = scale.values.length;
  for (let at = 0; at < rows * width; at += width) {
    let sum = 0;
    for (let index = 0; index < width; index += 1) sum += from[at + index] ?? 0;
    const mean = sum / width;
    let squares = 0;
    for (let index = 0; index < width; index += 1) squares += ((from[at + index] ?? 0) - mean) ** 2;
    const factor = 1 / Math.sqrt(squares / width + NORM_EPSILON);
    for (let index = 0; index < width; index += 1) {
      const value = ((from[at + index] ?? 0) - mean) * factor;
      to[at + index] = value * (scale.values[index] ?? 0) + (bias.values[index] ?? 0);
    }
  }
}

export function fillRows({ values }: Floats, { values: row }: Floats, rows: number): void {
  for (let index = 0; index < rows; index += 1) values.set(row, index * row.length);
}

export function addToRows({ values }: Floats, { values: row }: Floats, rows: number): void {
  for (let at = 0; at < rows * row.length; at += row.length) {
    for (let index = 0; index < row.length; index += 1) {
      values[at + index] = (values[at + index] ?? 0) + (row[index] ?? 0);
    }
  }
}

export function clampNegatives({ values }: Floats, length: number): void {
  for (let index = 0; index < length; index += 1) values[index] = Math.max(0, values[index] ?? 0);
}

/** Waves of growing length, which tell the model where a piece stands. */
export function createTiming(positions: number, width: number): Float32Array {
  const half = width / 2;
  const timing = new Float32Array(positions * width);
  for (let position = 0; position < positions; position += 1) {
    for (let wave = 0; wave < half; wave += 1) {
      const angle = position * LONGEST_WAVE ** (-wave / (half - 1));
      timing[position * width + wave] = Math.sin(angle);
      timing[position * width + half + wave] = Math.cos(angle);
    }
  }
  return timing;
}

const LONGEST_WAVE = 10_000;
