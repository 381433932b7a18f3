import { OUTBOX_KEY, readKept } from './kept.ts';

/** Sends what a former visit left, whichever page is open. Pages that send nothing do not wait for the code of it. */
export async function resumeOutbox(): Promise<void> {
  if (readKept(OUTBOX_KEY) === undefined) return;
  const { startOutbox } = await import('./outbox.ts');
  startOutbox();
}
