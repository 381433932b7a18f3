/** One reason for a result to be where it is. */
export interface Signal {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** What it added to the score; less than nothing counted against it. */
  readonly added: number;
  /** Of the strongest one, 0 to 1. */
  readonly share: number;
}

const WORDS: Readonly<Record<string, readonly [label: string, hint: string]>> = {
  keyword: ['words', 'Words of the question that it has, rare ones above all'],
  meaning: ['meaning', 'How near its meaning is to the question, whatever its words'],
  neighbours: ['said around it', 'What was said right before and after it fits'],
  conversation: ['conversation', 'The conversation that it belongs to fits'],
  speaker: ['who said it', 'The question names the one who said it'],
  answer: ['answers', 'It answers something like the question'],
  text: ['how it is put', 'It states something, rather than asking or greeting'],
  kind: ['kind of answer', 'It has the time, number, place or reason that is asked for'],
  date: ['date', 'It is from the day or month that is asked for'],
  priority: ['priority', 'Its priority'],
  pin: ['pinned', 'It is pinned'],
  recency: ['recent', 'It was told not long ago'],
  access: ['often used', 'It was often given to somebody'],
  exact: ['the very words', 'It has the question word for word'],
};

/** The strongest first. A signal that this page does not know yet is called as the server calls it. */
export function toSignals(why: Readonly<Record<string, number>>): readonly Signal[] {
  const strongest = Math.max(...Object.values(why).map(Math.abs), Number.MIN_VALUE);
  return Object.entries(why)
    .map(([name, added]) => {
      const [label, hint] = WORDS[name] ?? [name, ''];
      return { name, label, hint, added, share: Math.abs(added) / strongest };
    })
    .sort((a, b) => Math.abs(b.added) - Math.abs(a.added));
}
