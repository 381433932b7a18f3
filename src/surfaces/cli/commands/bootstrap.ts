import { type RouteMatch, routePrompt } from '../../../core/inventory/route-prompt.ts';
import type { JsonObject } from '../../../core/json.ts';
import { toOneLine, toPlainText } from '../print/plain-text.ts';
import { defineCommand } from '../program/command.ts';
import { type TakenTurns, takeTurns } from '../turns/take-turns.ts';
import {
  parseLimit,
  parseTurnAgent,
  readPrompt,
  TURN_OPTIONS,
  toMs,
} from '../turns/turn-arguments.ts';
import { encodeMatch, encodeTurn, toTurnFailure } from '../turns/turn-fields.ts';
import { loadInventory } from './inventory/load-inventory.ts';

const MAX_LINE_CHARS = 300;

interface Bootstrapped extends TakenTurns {
  readonly prompt: string;
  readonly limit: number;
  readonly matches: readonly RouteMatch[];
}

export const bootstrap = defineCommand({
  usage: 'PROMPT [--limit N] [--timeout-seconds S]',
  description:
    'Says what this program runs on, routes the prompt, takes one turn with it and writes a new transcript. Through the\n' +
    'running server, else in this process. PROMPT as - reads standard input. Exit code 1: the run failed or was\n' +
    'cancelled; 2: out of time.',
  args: { min: 1, max: 1 },
  options: TURN_OPTIONS,
  examples: [
    'claw bootstrap "which files are in my workspace?"',
    'claw bootstrap "hello" --limit 3 --output-format json',
  ],
  handlesInterrupt: true,
  async run({ args, options }, context): Promise<Bootstrapped> {
    const agentId = parseTurnAgent(options.agent, 'bootstrap');
    const prompt = await readPrompt(args, context, 'bootstrap');
    const limit = parseLimit(options.limit);
    const matches = routePrompt(await loadInventory(context), prompt, limit);
    const taken = await takeTurns(context, {
      agentId,
      prompt,
      continuationPrompt: undefined,
      maxTurns: 1,
      timeoutMs: toMs(options['timeout-seconds']),
      maxTokens: undefined,
      session: undefined,
      directory: options.directory,
    });
    return { ...taken, prompt, limit, matches };
  },
  fields({ prompt, limit, matches, turns, fault, ...taken }) {
    const [turn] = turns;
    return {
      prompt,
      limit,
      setup: describeSetup(),
      routed_matches: matches.map(encodeMatch),
      command_execution_messages: [],
      tool_execution_messages: [...taken.toolMessages],
      ...(turn === undefined ? {} : { turn: encodeTurn(turn) }),
      run_id: turn?.runId ?? fault?.target ?? null,
      session_id: taken.transcriptId,
      persisted_session_path: taken.transcriptPath ?? null,
    };
  },
  text({ prompt, matches, turns, toolMessages, transcriptPath }) {
    const [turn] = turns;
    if (turn === undefined) return '';
    const bullets = (lines: readonly string[]) =>
      lines.length === 0 ? ['- none'] : lines.map((line) => `- ${toOneLine(line, MAX_LINE_CHARS)}`);
    return [
      '# Runtime Session',
      '',
      `Prompt: ${toOneLine(prompt, MAX_LINE_CHARS)}`,
      '',
      '## Routed Matches',
      ...bullets(matches.map(({ kind, name, score }) => `${kind} ${name} (${score})`)),
      '',
      '## Tools Used',
      ...bullets(toolMessages),
      '',
      '## Turn Result',
      toPlainText(turn.output),
      '',
      `stop_reason=${turn.stopReason}`,
      `Persisted session path: ${transcriptPath ?? 'none'}`,
    ].join('\n');
  },
  failure: (taken) => toTurnFailure(taken),
});

function describeSetup(): JsonObject {
  return {
    // The contract's member of another implementation; nothing here runs on Python.
    python_version: '',
    node_version: process.versions.node,
    implementation: 'Node.js',
    platform_name: process.platform,
    test_command: 'npm test',
  };
}
