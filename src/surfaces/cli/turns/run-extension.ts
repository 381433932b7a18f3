import type { AgentId } from '../../../core/ids.ts';
import type { ExtensionEntry } from '../../../core/inventory/inventory-entry.ts';
import type { CliContext } from '../program/context.ts';
import type { Failure } from '../program/failure.ts';
import { openTurns } from './open-turns.ts';
import { takeTurn } from './take-turn.ts';
import { toTurnFailure } from './turn-fields.ts';

export interface ExtensionRequest {
  readonly entry: ExtensionEntry;
  readonly prompt: string;
  readonly agentId: AgentId;
}

export interface ExtensionRun {
  readonly isHandled: boolean;
  readonly message: string;
  readonly runId: string | undefined;
  readonly failure: Failure | undefined;
}

const PLACEHOLDER = '$ARGUMENTS';

/** Has an agent follow the text that a skill or a plugin's command stands for. */
export async function runExtension(
  context: CliContext,
  { entry, prompt, agentId }: ExtensionRequest,
): Promise<ExtensionRun> {
  const message = toExtensionMessage(
    await context.parts.readExtensionText(entry),
    entry.name,
    prompt,
  );
  const turns = await openTurns(context);
  try {
    const outcome = await takeTurn(context, {
      turns,
      agentId,
      prompt: message,
      waitsForApproval: true,
    });
    if (outcome.outcome === 'failed') {
      const { runId, fault } = outcome;
      const failure = { exitCode: 1, error: fault } as const;
      return { isHandled: false, message: fault.message, runId, failure };
    }
    const { turn } = outcome;
    return {
      isHandled: turn.stopReason === 'completed',
      message: turn.output,
      runId: turn.runId,
      failure: toTurnFailure({ turns: [turn], fault: undefined }),
    };
  } finally {
    await turns.close();
  }
}

/** The request where the text has a place for it, else behind the text. */
function toExtensionMessage(text: string, name: string, prompt: string): string {
  if (text.includes(PLACEHOLDER)) return text.replaceAll(PLACEHOLDER, () => prompt);
  const request = prompt.trim() === '' ? '' : `\n\nThe request:\n\n${prompt}`;
  return `Follow these instructions of the command ${name}:\n\n${text}${request}`;
}
