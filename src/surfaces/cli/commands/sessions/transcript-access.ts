import { RuntimeError } from '../../../../core/errors.ts';
import type { JsonObject } from '../../../../core/json.ts';
import type { Transcript, TranscriptStore } from '../../../../core/transcripts/transcript-store.ts';
import type { CliContext } from '../../program/context.ts';
import { toFailure } from '../../program/errors.ts';
import type { Failure } from '../../program/failure.ts';

export const DIRECTORY_OPTION = {
  kind: 'text',
  value: 'DIR',
  summary:
    'the folder with the transcripts (default: .claw/sessions/<workspace> in the state root)',
} as const;

export function openTranscripts(
  { parts, root }: CliContext,
  directory: string | undefined,
): Promise<TranscriptStore> {
  return parts.openTranscripts(root, directory);
}

/** What came of work on one transcript. That it failed is a result too, with members of its own. */
export type Outcome<T> =
  | { readonly isDone: true; readonly value: T; readonly directory: string }
  | {
      readonly isDone: false;
      readonly reference: string;
      readonly directory: string;
      readonly error: RuntimeError;
    };

export async function attempt<T>(
  store: TranscriptStore,
  reference: string,
  work: Promise<T>,
): Promise<Outcome<T>> {
  const { directory } = store;
  try {
    return { isDone: true, value: await work, directory };
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return { isDone: false, reference, directory, error };
  }
}

export function failureOf(outcome: Outcome<unknown>): Failure | undefined {
  if (outcome.isDone) return undefined;
  const { error, reference } = outcome;
  return toFailure(error, { operation: 'resolve_session', target: reference });
}

/** What scripts ask of a transcript in every answer that has one. */
export function encodeCounts({ messages, usage }: Transcript): JsonObject {
  return {
    messages_count: messages.length,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
  };
}

export function tornTailNote(id: string): string {
  return `note: the last line of ${id} was cut off by a crash; it is left out, and goes with the next write`;
}
