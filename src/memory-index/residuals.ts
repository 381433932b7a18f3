/** Places are kept in blocks, so that nothing is moved when there are more. */
const BLOCK = 4_096;
const STEPS = 16;
const LOWEST = -STEPS / 2;

/**
 * What rounding to a whole number took from the numbers of a vector, in sixteenths: half a byte each. Added to int8 it
 * tells near neighbours apart that int8 alone confuses.
 */
export class Residuals {
  readonly #length: number;
  readonly #blocks: Uint8Array[] = [];

  constructor(dimensions: number) {
    this.#length = Math.ceil(dimensions / 2);
  }

  get bytes(): number {
    return this.#blocks.length * BLOCK * this.#length;
  }

  /** `whole` is what the numbers, each times `factor`, were rounded to. */
  write(place: number, vector: Float32Array, { whole, factor }: Rounded): void {
    const block = this.#open(place);
    const start = (place % BLOCK) * this.#length;
    const step = (at: number) => {
      const rest = (vector[at] ?? 0) * factor - (whole[at] ?? 0);
      return Math.max(0, Math.min(STEPS - 1, Math.floor(rest * STEPS) - LOWEST));
    };
    for (let at = 0; at < this.#length; at += 1) {
      block[start + at] = step(2 * at) | (step(2 * at + 1) << 4);
    }
  }

  /** The product of a question with what the whole numbers and their residuals make together. */
  multiply(place: number, whole: Int8Array, question: Float32Array): number {
    const block = this.#open(place);
    const start = (place % BLOCK) * this.#length;
    let sum = 0;
    for (let at = 0; at < question.length; at += 1) {
      const pair = block[start + (at >> 1)] as number;
      const step = (at & 1) === 0 ? pair & 15 : pair >> 4;
      sum += ((whole[at] as number) + (step + LOWEST + 0.5) / STEPS) * (question[at] as number);
    }
    return sum;
  }

  #open(place: number): Uint8Array {
    const number = Math.floor(place / BLOCK);
    this.#blocks[number] ??= new Uint8Array(BLOCK * this.#length);
    return this.#blocks[number];
  }
}

interface Rounded {
  readonly whole: Int8Array;
  readonly factor: number;
}
