import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { RuntimeError } from '../../core/errors.ts';
import { findPackageRoot } from '../../platform/package-root.ts';

const WRITER_FILE = 'sqlite-writer.cjs';

let spare: Worker | undefined;

/**
 * Starts a writer thread before anybody knows which database it will open: its start takes as long as a third of the
 * program takes to load, and both can happen at the same time.
 */
export function prepareWriterWorker(): void {
  const entry = toWriterEntry();
  // Whoever opens the database says what is missing.
  if (spare !== undefined || !existsSync(entry)) return;
  spare = startWorker(entry).once('error', dropSpare).once('exit', dropSpare);
}

/** A thread that waits to be told its database. */
export function takeWriterWorker(): Worker {
  const prepared = spare;
  if (prepared === undefined) return startWorker(findWriterEntry());
  dropSpare();
  return prepared.off('error', dropSpare).off('exit', dropSpare);
}

function dropSpare(): void {
  spare = undefined;
}

function startWorker(entry: string): Worker {
  const worker = new Worker(entry, { name: 'sqlite-writer' });
  worker.unref();
  return worker;
}

/** Threads run JavaScript, so sources and bundles alike start the built file. */
function findWriterEntry(): string {
  const entry = toWriterEntry();
  if (existsSync(entry)) return entry;
  throw new RuntimeError('internal', `${entry} is missing: run \`npm run build\``);
}

function toWriterEntry(): string {
  return join(findPackageRoot(), 'dist', WRITER_FILE);
}
