import { type DotKernel, openDotKernel, PAGE_BYTES } from './dot-kernel.ts';
import { Nearest } from './nearest.ts';
import { Residuals } from './residuals.ts';

/** Longer ones have no place beside each other as questions. */
export const MAX_DIMENSIONS = 8_192;

const LANES = 16;
/** Products come out in blocks of this many vectors. */
const BLOCK = 4_096;
const QUESTIONS_AT = 0;
const PRODUCTS_AT = 2 * 2 * MAX_DIMENSIONS;
const VECTORS_AT = PRODUCTS_AT + BLOCK * 8;
const MAX_BYTE = 127;
const NOBODY = -1;
const START_PLACES = 256;
/** Places that nobody sees are computed along when they are so few. */
const MAX_GAP = 8;
/** So many of the nearest by int8 are measured again, with what int8 leaves out. */
const REFINED = 32;

/** Neighbouring places. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** What slots begin with. */
export const NO_COSINE = -2;

/** Cosines by slot: with each of one or two questions, and the better of them. */
export interface Cosines {
  readonly forms: readonly Float32Array[];
  readonly best: Float32Array;
}

/** What a question was rounded with, and what is nearest to it so far. */
interface Comparison {
  readonly question: Float32Array;
  readonly cosines: Float32Array;
  readonly scale: number;
  readonly nearest: Nearest;
}

/** Vectors of one length as int8, each with a scale of its own, and whose they are. */
export class VectorTable {
  readonly dimensions: number;
  readonly #kernel: DotKernel | undefined;
  readonly #stride: number;
  readonly #maxShort: number;
  readonly #residuals: Residuals;
  readonly #free: number[] = [];
  /** Used where there is no kernel with a memory of its own. */
  #heap = new ArrayBuffer(0);
  #owners = new Int32Array(START_PLACES).fill(NOBODY);
  #scales = new Float32Array(START_PLACES);
  #end = 0;

  constructor(dimensions: number, kernel: DotKernel | undefined = openDotKernel()) {
    this.dimensions = dimensions;
    this.#kernel = kernel;
    this.#residuals = new Residuals(dimensions);
    this.#stride = Math.ceil(dimensions / LANES) * LANES;
    // A product of the largest vector and the largest question has to fit 32 bits.
    this.#maxShort = Math.min(32_767, Math.floor((2 ** 31 - 1) / (MAX_BYTE * this.#stride)));
  }

  get size(): number {
    return this.#end - this.#free.length;
  }

  get bytes(): number {
    const own = this.#owners.byteLength + this.#scales.byteLength;
    return this.#buffer.byteLength + this.#residuals.bytes + own;
  }

  /** Answers with its place. */
  add(slot: number, vector: Float32Array): number {
    const place = this.#free.pop() ?? this.#end;
    this.#reserve(place + 1);
    this.#end = Math.max(this.#end, place + 1);
    const scale = largest(vector) / MAX_BYTE;
    const whole = this.#wholeOf(place);
    const factor = quantise(vector, whole, scale);
    this.#residuals.write(place, vector, { whole, factor });
    this.#scales[place] = scale;
    this.#owners[place] = slot;
    return place;
  }

  remove(place: number): void {
    this.#owners[place] = NOBODY;
    this.#free.push(place);
  }

  /** Finds the best cosine of every visible slot that has vectors. Answers with how many those are. */
  scan(questions: readonly Float32Array[], visible: Uint8Array, found: Cosines): number {
    this.#reserve(this.#end);
    const comparisons = this.#compare(questions, found);
    let count = 0;
    for (let run = this.#nextRun(0, visible); run; run = this.#nextRun(run.end, visible)) {
      this.#multiply(run);
      count += this.#keepBest(run, { visible, best: found.best }, comparisons);
    }
    for (const comparison of comparisons) if (comparison.scale > 0) this.#refine(comparison, found);
    return count;
  }

  get #buffer(): ArrayBuffer {
    return this.#kernel?.memory.buffer ?? this.#heap;
  }

  #reserve(places: number): void {
    if (places > this.#owners.length) {
      const length = this.#owners.length * 2;
      const owners = new Int32Array(length).fill(NOBODY);
      owners.set(this.#owners);
      const scales = new Float32Array(length);
      scales.set(this.#scales);
      this.#owners = owners;
      this.#scales = scales;
    }
    const needed = VECTORS_AT + places * this.#stride;
    const has = this.#buffer.byteLength;
    if (needed <= has) return;
    const target = Math.max(needed, has * 1.125);
    if (this.#kernel) this.#kernel.memory.grow(Math.ceil((target - has) / PAGE_BYTES));
    else this.#heap = copyInto(new ArrayBuffer(Math.ceil(target)), this.#heap);
  }

  #wholeOf(place: number): Int8Array {
    return new Int8Array(this.#buffer, VECTORS_AT + place * this.#stride, this.#stride);
  }

  /** One question is compared twice: two cost hardly more. */
  #compare(
    [first = new Float32Array(), second = first]: readonly Float32Array[],
    { forms: [ofFirst = new Float32Array(), ofSecond = ofFirst] }: Cosines,
  ): readonly [Comparison, Comparison] {
    const write = (question: Float32Array, cosines: Float32Array, index: number) => {
      const at = QUESTIONS_AT + index * this.#stride * 2;
      const scale = largest(question) / this.#maxShort;
      quantise(question, new Int16Array(this.#buffer, at, this.#stride), scale);
      return { question, cosines, scale, nearest: new Nearest(REFINED) };
    };
    return [write(first, ofFirst, 0), write(second, ofSecond, 1)];
  }

  /** Places that are seen, short gaps included: what nobody sees is not computed. */
  #nextRun(from: number, visible: Uint8Array): Run | undefined {
    const owners = this.#owners;
    const end = this.#end;
    const isSeen = (place: number) => {
      const owner = owners[place] as number;
      return owner >= 0 && visible[owner] === 1;
    };
    let start = from;
    while (start < end && !isSeen(start)) start += 1;
    if (start === end) return undefined;
    const limit = Math.min(end, start + BLOCK);
    let last = start;
    for (let place = start + 1; place < limit && place - last <= MAX_GAP + 1; place += 1) {
      if (isSeen(place)) last = place;
    }
    return { start, end: last + 1 };
  }

  #multiply({ start, end }: Run): void {
    const vectors = VECTORS_AT + start * this.#stride;
    const count = end - start;
    if (this.#kernel) {
      this.#kernel.run(vectors, count, this.#stride, QUESTIONS_AT, PRODUCTS_AT);
      return;
    }
    multiplyPlainly(
      new Int8Array(this.#buffer, vectors, count * this.#stride),
      new Int16Array(this.#buffer, QUESTIONS_AT, this.#stride * 2),
      new Int32Array(this.#buffer, PRODUCTS_AT, count * 2),
    );
  }

  /** Answers with how many slots had no cosine before. */
  #keepBest(
    { start, end }: Run,
    { visible, best }: { readonly visible: Uint8Array; readonly best: Float32Array },
    [one, two]: readonly [Comparison, Comparison],
  ): number {
    const products = new Int32Array(this.#buffer, PRODUCTS_AT, BLOCK * 2);
    const owners = this.#owners;
    const scales = this.#scales;
    const [first, second] = [one.cosines, two.cosines];
    const [firstScale, secondScale] = [one.scale, two.scale];
    let [leastFirst, leastSecond] = [one.nearest.least, two.nearest.least];
    let added = 0;
    for (let place = start; place < end; place += 1) {
      const owner = owners[place] as number;
      if (owner < 0 || visible[owner] !== 1) continue;
      const at = (place - start) * 2;
      const scale = scales[place] as number;
      const toFirst = (products[at] as number) * scale * firstScale;
      const toSecond = (products[at + 1] as number) * scale * secondScale;
      const better = toFirst > toSecond ? toFirst : toSecond;
      const known = best[owner] as number;
      if (known === NO_COSINE) added += 1;
      if (better > known) best[owner] = better;
      if (toFirst > (first[owner] as number)) first[owner] = toFirst;
      if (toSecond > (second[owner] as number)) second[owner] = toSecond;
      if (toFirst > leastFirst) leastFirst = one.nearest.take(place, toFirst);
      if (toSecond > leastSecond) leastSecond = two.nearest.take(place, toSecond);
    }
    return added;
  }

  /** The nearest lie closer together than int8 can tell. A slot counts by the best of its vectors that are among them. */
  #refine({ question, cosines, nearest }: Comparison, { forms, best }: Cosines): void {
    const refined = new Map<number, number>();
    for (const place of nearest.places.subarray(0, nearest.size)) {
      const owner = this.#owners[place] as number;
      const product = this.#residuals.multiply(place, this.#wholeOf(place), question);
      const cosine = product * (this.#scales[place] as number);
      refined.set(owner, Math.max(refined.get(owner) ?? cosine, cosine));
    }
    for (const [owner, cosine] of refined) {
      cosines[owner] = cosine;
      best[owner] = Math.max(...forms.map((form) => form[owner] as number));
    }
  }
}

/** What the kernel does, where there is none. */
function multiplyPlainly(vectors: Int8Array, questions: Int16Array, products: Int32Array): void {
  const stride = questions.length / 2;
  for (let index = 0; index < products.length / 2; index += 1) {
    let first = 0;
    let second = 0;
    const start = index * stride;
    for (let at = 0; at < stride; at += 1) {
      const value = vectors[start + at] as number;
      first += value * (questions[at] as number);
      second += value * (questions[stride + at] as number);
    }
    products[index * 2] = first;
    products[index * 2 + 1] = second;
  }
}

/** To the nearest whole number; what is beyond the vector is zero. Answers with what its numbers were multiplied by. */
function quantise(vector: Float32Array, target: Int8Array | Int16Array, scale: number): number {
  const factor = scale > 0 ? 1 / scale : 0;
  target.fill(0);
  for (let at = 0; at < vector.length; at += 1) {
    const value = (vector[at] as number) * factor;
    // Stored whole: adding a half first rounds, and is far quicker than Math.round.
    target[at] = value < 0 ? value - 0.5 : value + 0.5;
  }
  return factor;
}

/** 0 for one that holds something else than numbers: it is like nothing. */
function largest(vector: Float32Array): number {
  let most = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const size = Math.abs(vector[at] as number);
    if (!(size < Number.POSITIVE_INFINITY)) return 0;
    if (size > most) most = size;
  }
  return most;
}

function copyInto(target: ArrayBuffer, source: ArrayBuffer): ArrayBuffer {
  new Uint8Array(target).set(new Uint8Array(source));
  return target;
}
