import { type Inspect, NOTHING, opaque } from './inspection.ts';
import { couldBeOption } from './read-options.ts';

/** Refuses the given long options, also shortened as most programs allow, and words that may turn into them. */
export function withoutOptions(longs: readonly string[], short?: RegExp): Inspect {
  return (args) => {
    for (const word of args) {
      if (word.isLiteral && word.text === '--') break;
      if (couldBeOption(word)) return opaque('an argument may be an option that runs commands');
      const name = /^--([^=]+)/.exec(word.text)?.[1];
      if (name !== undefined && name.length > 1 && longs.some((long) => long.startsWith(name))) {
        return opaque(`option --${name} may run commands`);
      }
      if (short?.test(word.text))
        return opaque(`option ${word.text.slice(0, 20)} may run commands`);
    }
    return NOTHING;
  };
}
