import { type DotKernel, openDotKernel, PAGE_BYTES } from './dot-kernel.ts';

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

/** Neighbouring places. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** Vectors of one length as int8, each with a scale of its own, and whose they are. */
export class VectorTable {
  readonly dimensions: number;
  readonly #kernel: DotKernel | undefined;
  readonly #stride: number;
  readonly #maxShort: number;
  readonly #free: number[] = [];
  /** Used where there is no kernel with a memory of its own. */
  #heap = new ArrayBuffer(0);
  #owners = new Int32Array(START_PLACES).fill(NOBODY);
  #scales = new Float32Array(START_PLACES);
  #end = 0;

  constructor(dimensions: number, kernel: DotKernel | undefined = openDotKernel()) {
    this.dimensions = dimensions;
    this.#kernel = kernel;
    this.#stride = Math.ceil(dimensions / LANES) * LANES;
    // A product of the largest vector and the largest question has to fit 32 bits.
    this.#maxShort = Math.min(32_767, Math.floor((2 ** 31 - 1) / (MAX_BYTE * this.#stride)));
  }

  get size(): number {
    return this.#end - this.#free.length;
  }

  get bytes(): number {
    return this.#buffer.byteLength + this.#owners.byteLength + this.#scales.byteLength;
  }

  /** Answers with its place. */
  add(slot: number, vector: Float32Array): number {
    const place = this.#free.pop() ?? this.#end;
    this.#reserve(place + 1);
    this.#end = Math.max(this.#end, place + 1);
    const at = VECTORS_AT + place * this.#stride;
    const scale = largest(vector) / MAX_BYTE;
    quantise(vector, new Int8Array(this.#buffer, at, this.#stride), scale);
    this.#scales[place] = scale;
    this.#owners[place] = slot;
    return place;
  }

  remove(place: number): void {
    this.#owners[place] = NOBODY;
    this.#free.push(place);
  }

  /** For every visible slot the best cosine of its vectors with each question, where it is better than what is there. */
  scan(
    questions: readonly Float32Array[],
    visible: Uint8Array,
    best: readonly Float32Array[],
  ): void {
    this.#reserve(this.#end);
    for (let pair = 0; pair < questions.length; pair += 2) {
      const scales = this.#writeQuestions(questions.slice(pair, pair + 2));
      const pairOfBest = best.slice(pair, pair + 2);
      for (let run = this.#nextRun(0, visible); run; run = this.#nextRun(run.end, visible)) {
        this.#multiply(run);
        this.#keepBest(run, { scales, visible }, pairOfBest);
      }
    }
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

  /** Two at most; answers with their scales. */
  #writeQuestions(questions: readonly Float32Array[]): readonly number[] {
    return questions.map((question, index) => {
      const at = QUESTIONS_AT + index * this.#stride * 2;
      const scale = largest(question) / this.#maxShort;
      quantise(question, new Int16Array(this.#buffer, at, this.#stride), scale);
      return scale;
    });
  }

  /** Places that are seen, short gaps included: what nobody sees is not computed. */
  #nextRun(from: number, visible: Uint8Array): Run | undefined {
    const start = this.#nextSeen(from, visible);
    if (start >= this.#end) return undefined;
    let end = start + 1;
    for (;;) {
      const next = this.#nextSeen(end, visible);
      if (next >= this.#end || next - end > MAX_GAP || next + 1 - start > BLOCK) break;
      end = next + 1;
    }
    return { start, end };
  }

  #nextSeen(from: number, visible: Uint8Array): number {
    const owners = this.#owners;
    for (let place = from; place < this.#end; place += 1) {
      const owner = owners[place] as number;
      if (owner >= 0 && visible[owner] === 1) return place;
    }
    return this.#end;
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

  #keepBest(
    { start, end }: Run,
    { scales, visible }: { readonly scales: readonly number[]; readonly visible: Uint8Array },
    [first, second]: readonly Float32Array[],
  ): void {
    const products = new Int32Array(this.#buffer, PRODUCTS_AT, BLOCK * 2);
    const owners = this.#owners;
    const [firstScale = 0, secondScale = 0] = scales;
    for (let place = start; place < end; place += 1) {
      const owner = owners[place] as number;
      if (owner < 0 || visible[owner] !== 1) continue;
      const at = (place - start) * 2;
      const scale = this.#scales[place] as number;
      const one = (products[at] as number) * scale * firstScale;
      if (first && one > (first[owner] as number)) first[owner] = one;
      if (!second) continue;
      const two = (products[at + 1] as number) * scale * secondScale;
      if (two > (second[owner] as number)) second[owner] = two;
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

/** To the nearest whole number; what is beyond the vector is zero. */
function quantise(vector: Float32Array, target: Int8Array | Int16Array, scale: number): void {
  const factor = scale > 0 ? 1 / scale : 0;
  target.fill(0);
  for (let at = 0; at < vector.length; at += 1) {
    const value = (vector[at] as number) * factor;
    // Stored whole: adding a half first rounds, and is far quicker than Math.round.
    target[at] = value < 0 ? value - 0.5 : value + 0.5;
  }
}

/** 0 for one that holds something else than numbers: it is like nothing. */
function largest(vector: Float32Array): number {
  let most = 0;
  for (let at = 0; at < vector.length; at += 1) {
    const size = Math.abs(vector[at] as number);
    if (!(size <= most)) most = size;
  }
  return Number.isFinite(most) ? most : 0;
}

function copyInto(target: ArrayBuffer, source: ArrayBuffer): ArrayBuffer {
  new Uint8Array(target).set(new Uint8Array(source));
  return target;
}
