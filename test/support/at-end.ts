import { afterAll, beforeAll, onTestFinished } from 'vitest';

type End = () => unknown;

/** Of the block of tests that something is being opened for; absent while a test opens what is its own. */
let endsOfBlock: End[] | undefined;

/** For what opens something: when the test is over, or all tests that it is opened for. */
export function atEnd(end: End): void {
  if (endsOfBlock) endsOfBlock.push(end);
  else onTestFinished(async () => void (await end()));
}

/** For tests that leave a server as it was, as those that are refused: starting one takes longer than they do. */
export function openForAll<T extends object>(open: () => Promise<T>): () => T {
  const ends: End[] = [];
  let opened: T | undefined;
  beforeAll(async () => {
    endsOfBlock = ends;
    try {
      opened = await open();
    } finally {
      endsOfBlock = undefined;
    }
  });
  afterAll(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return () => {
    if (!opened) throw new Error('it is open in tests alone');
    return opened;
  };
}
