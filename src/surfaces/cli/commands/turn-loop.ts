import { type RouteMatch, routePrompt } from '../../../core/inventory/route-prompt.ts';
import { toPlainText } from '../print/plain-text.ts';
import { defineCommand } from '../program/command.ts';
import { type TakenTurns, takeTurns } from '../turns/take-turns.ts';
import type { Turn } from '../turns/turn.ts';
import {
  parseContinuation,
  parseLimit,
  parseTurnAgent,
  readPrompt,
  TURN_OPTIONS,
  toMs,
} from '../turns/turn-arguments.ts';
import { encodeTurn, namesOf, toTurnFailure } from '../turns/turn-fields.ts';
import { loadInventory } from './inventory/load-inventory.ts';

const DEFAULT_MAX_TURNS = 3;
const MAX_TURNS = 1_000;
const MAX_TOKENS = 1_000_000_000;

interface Looped extends TakenTurns {
  readonly prompt: string;
  readonly limit: number;
  readonly maxTurns: number;
  readonly timeoutSeconds: number | undefined;
  readonly continuationPrompt: string | undefined;
  readonly matches: readonly RouteMatch[];
}

export const turnLoop = defineCommand({
  usage:
    'PROMPT [--max-turns N] [--timeout-seconds S] [--continuation-prompt TEXT] [--session REF] [--structured-output]',
  description:
    'Through the running server, else in this process. The first turn sends PROMPT (- reads standard input), later ones\n' +
    'the continuation prompt; without one there is a single turn. A turn that does not complete ends the loop, cancels\n' +
    'its run and leaves the transcript as it was. Exit code 1: a run failed or was cancelled; 2: out of time.',
  args: { min: 1, max: 1 },
  options: {
    ...TURN_OPTIONS,
    'max-turns': {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_TURNS,
      isWhole: true,
      summary: `how many prompts to send at most (default ${DEFAULT_MAX_TURNS})`,
    },
    'continuation-prompt': {
      kind: 'text',
      value: 'TEXT',
      summary: 'what to send after each completed turn',
    },
    'max-budget-tokens': {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_TOKENS,
      isWhole: true,
      summary: 'ask the model no more once all turns together used this many tokens',
    },
    session: {
      kind: 'text',
      value: 'REF',
      summary: 'go on with this transcript: an id, a path or latest (default: a new one)',
    },
    'structured-output': {
      kind: 'flag',
      summary: 'each answer as JSON: {"summary": [lines], "session_id": id}',
    },
  },
  examples: [
    'claw turn-loop "tidy up the notes" --max-turns 3 --continuation-prompt "go on" --timeout-seconds 120',
    'claw turn-loop "and the second file?" --session latest --output-format json',
  ],
  handlesInterrupt: true,
  async run({ args, options }, context): Promise<Looped> {
    const agentId = parseTurnAgent(options.agent, 'turn-loop');
    const continuationPrompt = parseContinuation(options['continuation-prompt'], 'turn-loop');
    const prompt = await readPrompt(args, context, 'turn-loop');
    const limit = parseLimit(options.limit);
    const { 'max-turns': maxTurns = DEFAULT_MAX_TURNS, 'timeout-seconds': timeoutSeconds } =
      options;
    const matches = routePrompt(await loadInventory(context), prompt, limit);
    const taken = await takeTurns(context, {
      agentId,
      prompt,
      continuationPrompt,
      maxTurns,
      timeoutMs: toMs(timeoutSeconds),
      maxTokens: options['max-budget-tokens'],
      session: options.session,
      directory: options.directory,
    });
    return {
      ...taken,
      turns: options['structured-output'] ? taken.turns.map(structure(taken)) : taken.turns,
      prompt,
      limit,
      maxTurns,
      timeoutSeconds,
      continuationPrompt,
      matches,
    };
  },
  fields(looped) {
    const { turns, matches } = looped;
    const matched = {
      matched_commands: namesOf(matches, 'command'),
      matched_tools: namesOf(matches, 'tool'),
    };
    const last = looped.fault === undefined ? turns.at(-1) : undefined;
    return {
      prompt: looped.prompt,
      limit: looped.limit,
      max_turns: looped.maxTurns,
      turns_completed: turns.filter(({ stopReason }) => stopReason === 'completed').length,
      timeout_seconds: looped.timeoutSeconds ?? null,
      continuation_prompt: looped.continuationPrompt ?? null,
      turns: turns.map((turn) => ({ ...encodeTurn(turn), ...matched })),
      final_stop_reason: last?.stopReason ?? null,
      final_cancel_observed: last?.cancelObserved ?? false,
      session_id: looped.transcriptId,
      persisted_session_path: looped.transcriptPath ?? null,
    };
  },
  text: ({ turns }) =>
    turns
      .map(({ output, stopReason }, index) =>
        [`## Turn ${index + 1}`, toPlainText(output), `stop_reason=${stopReason}`].join('\n'),
      )
      .join('\n\n'),
  failure: (taken) => toTurnFailure(taken),
});

/** The lines of the answer, for callers that want JSON in any case. */
function structure({ transcriptId }: TakenTurns): (turn: Turn) => Turn {
  return (turn) => {
    const summary = turn.output.split('\n').filter((line) => line.trim() !== '');
    const output = JSON.stringify({ summary, session_id: transcriptId }, null, 2);
    return { ...turn, output };
  };
}
