/** Where one text's pieces are among the rows. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

interface Attention {
  /** Each row: query, key and value, one after the other. */
  readonly qkv: Float32Array;
  readonly target: Float32Array;
  /** Of a query. */
  readonly width: number;
  readonly heads: number;
}

interface Head extends Attention {
  readonly span: Span;
  /** Where this head begins in a query. */
  readonly offset: number;
  readonly headWidth: number;
  readonly scores: Float32Array;
}

/** Every piece of a text looks at all pieces of the same text, with several heads. */
export function attend(attention: Attention, spans: readonly Span[]): void {
  const { width, heads } = attention;
  const headWidth = width / heads;
  for (const span of spans) {
    const scores = new Float32Array(span.length);
    for (let head = 0; head < heads; head += 1) {
      attendHead({ ...attention, span, offset: head * headWidth, headWidth, scores });
    }
  }
}

function attendHead(head: Head): void {
  const { qkv, target, span, width, offset, headWidth, scores } = head;
  for (let row = span.start; row < span.start + span.length; row += 1) {
    scoreRow(head, row * 3 * width + offset);
    const targetAt = row * width + offset;
    target.fill(0, targetAt, targetAt + headWidth);
    for (let other = 0; other < span.length; other += 1) {
      const share = scores[other] ?? 0;
      const valueAt = (span.start + other) * 3 * width + 2 * width + offset;
      for (let index = 0; index < headWidth; index += 1) {
        const at = targetAt + index;
        target[at] = (target[at] ?? 0) + share * (qkv[valueAt + index] ?? 0);
      }
    }
  }
}

/** How much this row looks at each row of its text: a softmax of their likeness. */
function scoreRow({ qkv, span, width, offset, headWidth, scores }: Head, queryAt: number): void {
  const scale = 1 / Math.sqrt(headWidth);
  let highest = Number.NEGATIVE_INFINITY;
  for (let other = 0; other < span.length; other += 1) {
    const keyAt = (span.start + other) * 3 * width + width + offset;
    let sum = 0;
    for (let index = 0; index < headWidth; index += 1) {
      sum += (qkv[queryAt + index] ?? 0) * (qkv[keyAt + index] ?? 0);
    }
    scores[other] = sum * scale;
    highest = Math.max(highest, sum * scale);
  }
  let total = 0;
  for (let other = 0; other < span.length; other += 1) {
    const share = Math.exp((scores[other] ?? 0) - highest);
    scores[other] = share;
    total += share;
  }
  for (let other = 0; other < span.length; other += 1) scores[other] = (scores[other] ?? 0) / total;
}
