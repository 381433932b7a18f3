// Another process for the tests of transcripts: it appends, rewrites or deletes, and says what it has done.
import { readFile, writeFile } from 'node:fs/promises';
import { systemClock } from '../../core/clock.ts';
import { createTranscriptFiles } from './create-transcript-files.ts';
import { createTranscriptLocks } from './transcript-locks.ts';

const MAX_ROUNDS = 100_000;

const [task = '', directory = '', label = '', count = '0', size = '0'] = process.argv.slice(2);

const store = await createTranscriptFiles({ root: directory, directory, clock: systemClock });
const locks = createTranscriptLocks(directory, systemClock);

const toMessage = (index: number) => ({
  role: 'user' as const,
  blocks: [{ type: 'text' as const, text: `${label} ${index} ${'x'.repeat(Number(size))}` }],
});

/** Whoever starts several waits until all are there. */
async function untilTold(): Promise<void> {
  process.stdout.write('ready\n');
  for await (const _ of process.stdin) return;
}

if (task === 'delete') {
  await untilTold();
  process.stdout.write(`${await store.remove('s1')}\n`);
}
if (task === 'write') {
  await untilTold();
  for (let index = 0; index < Number(count); index += 1) {
    await store.append('s1', [toMessage(index)]);
    if (index % 5 === 4) await store.snapshot('s1');
  }
}
if (task === 'count') {
  await untilTold();
  for (let index = 0; index < Number(count); index += 1) {
    await locks.hold('counter', async () => {
      const value = Number(await readFile(`${directory}/counter`, 'utf8'));
      await writeFile(`${directory}/counter`, String(value + 1));
    });
  }
}
if (task === 'once') {
  const said = await store.append('s1', [toMessage(0)]).then(
    () => 'appended',
    (error: Error) => error.message,
  );
  process.stdout.write(`${said}\n`);
}
// Until it is killed.
if (task === 'spin') {
  for (let index = 0; index < MAX_ROUNDS; index += 2) {
    await store.append('s1', [toMessage(index)]);
    process.stdout.write(`${index}\n`);
    if (index % 6 === 4) await store.snapshot('s1');
    await store.append('s1', [toMessage(index + 0.25), toMessage(index + 0.5)]);
    process.stdout.write(`${index + 0.5}\n`);
  }
}
// Answers by its exit code; what still waits on standard input must not hold it up.
process.exit(0);
