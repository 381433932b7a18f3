import type { Need, Needs } from './need.ts';
import type { Write } from './write.ts';

/** What a storage engine does for every noun that is declared once: it loads and saves, and decides nothing. */
export interface Tables {
  load<Loaded>(need: Need<Loaded>): Promise<Loaded>;
  /** Answers after the commit. */
  write<Given, Value, Asked extends Needs>(
    write: Write<Given, Value, Asked>,
    given: Given,
  ): Promise<Value>;
}
