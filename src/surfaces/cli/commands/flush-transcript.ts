import { createTranscript } from '../../../core/transcripts/create-transcript.ts';
import type { Transcript, TranscriptStore } from '../../../core/transcripts/transcript-store.ts';
import { defineCommand } from '../program/command.ts';
import { parseError } from '../program/errors.ts';
import {
  attempt,
  DIRECTORY_OPTION,
  encodeCounts,
  failureOf,
  openTranscripts,
} from './sessions/transcript-access.ts';

export const flushTranscript = defineCommand({
  usage: '[SESSION | --prompt TEXT [--session-id ID]] [--directory DIR]',
  description:
    'Writes the whole transcript anew and in one step; it is on disk when the command ends. What a crash cut off at its\n' +
    'end goes, and of one of 256 KiB and more the three latest copies are kept beside it. With --prompt a new\n' +
    'transcript is made of that prompt. No model is asked.',
  args: { min: 0, max: 1 },
  options: {
    prompt: { kind: 'text', value: 'TEXT', summary: 'make a transcript with this prompt' },
    'session-id': { kind: 'text', value: 'ID', summary: 'its id (default: a fresh one)' },
    directory: DIRECTORY_OPTION,
  },
  examples: [
    'claw flush-transcript latest',
    'claw flush-transcript --prompt "summarise the notes" --session-id notes-1',
  ],
  async run({ args, options }, context) {
    const task = parseTask(args[0], options.prompt, options['session-id']);
    const store = await openTranscripts(context, options.directory);
    return attempt(store, nameOf(task), flush(store, task, context.clock.nowMs()));
  },
  fields(flushed) {
    const { directory } = flushed;
    if (!flushed.isDone) return { session_id: flushed.reference, flushed: false, directory };
    const { value } = flushed;
    return {
      session_id: value.id,
      path: value.path,
      flushed: true,
      ...encodeCounts(value),
      directory,
    };
  },
  failure: (outcome) => failureOf(outcome),
  text: (flushed) => (flushed.isDone ? `${flushed.value.path}\nflushed=True` : ''),
});

type Task =
  | { readonly kind: 'stored'; readonly reference: string }
  | { readonly kind: 'new'; readonly prompt: string; readonly id: string | undefined };

function parseTask(
  reference: string | undefined,
  prompt: string | undefined,
  id: string | undefined,
): Task {
  const refuse = (problem: string) =>
    parseError(problem, {
      target: 'flush-transcript',
      hint: 'usage: claw flush-transcript [SESSION | --prompt TEXT [--session-id ID]]',
    });
  if (reference === undefined && prompt === undefined) throw refuse('argument SESSION is missing');
  if (reference !== undefined && prompt !== undefined) {
    throw refuse('a session and --prompt exclude each other');
  }
  if (reference !== undefined && id !== undefined) throw refuse('--session-id needs --prompt');
  if (prompt !== undefined && prompt.trim() === '')
    throw refuse('option --prompt must not be blank');
  return prompt === undefined
    ? { kind: 'stored', reference: reference ?? '' }
    : { kind: 'new', prompt, id };
}

function nameOf(task: Task): string {
  return task.kind === 'stored' ? task.reference : (task.id ?? '');
}

async function flush(store: TranscriptStore, task: Task, nowMs: number): Promise<Transcript> {
  if (task.kind === 'stored') return store.snapshot(task.reference);
  const { prompt, id } = task;
  const content = {
    messages: [{ role: 'user' as const, blocks: [{ type: 'text' as const, text: prompt }] }],
    promptHistory: [{ atMs: nowMs, text: prompt }],
  };
  return id === undefined ? createTranscript(store, content) : store.create({ ...content, id });
}
