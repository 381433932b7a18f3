/** What a label becomes when too many values have been seen. */
export const OTHER_LABEL = 'other';

const MAX_LABEL_CHARS = 128;

/** Keeps a label's cardinality bounded: names beyond the first `maxValues` share one series. */
export function createLabelBound(maxValues: number): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    const label = value.slice(0, MAX_LABEL_CHARS);
    if (seen.has(label)) return label;
    if (seen.size >= maxValues) return OTHER_LABEL;
    seen.add(label);
    return label;
  };
}
