/** Texts as small numbers. */
export interface Interner {
  readonly size: number;
  number(text: string): number;
  /** Undefined for one that nothing has. */
  find(text: string): number | undefined;
  text(number: number): string;
}

export function createInterner(): Interner {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  return {
    get size() {
      return texts.length;
    },
    find: (text) => numbers.get(text),
    text: (number) => texts[number] ?? '',
    number(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      texts.push(text);
      numbers.set(text, texts.length - 1);
      return texts.length - 1;
    },
  };
}
