import { defined } from '../../../core/defined.ts';
import { RuntimeError } from '../../../core/errors.ts';
import { findInventoryEntry } from '../../../core/inventory/find-inventory-entry.ts';
import type { ExtensionEntry, InventoryEntry } from '../../../core/inventory/inventory-entry.ts';
import type { JsonObject } from '../../../core/json.ts';
import { toPlainText } from '../print/plain-text.ts';
import { defineCommand } from '../program/command.ts';
import type { CliContext } from '../program/context.ts';
import { parseError, toFailure } from '../program/errors.ts';
import type { Failure } from '../program/failure.ts';
import { captureLive } from '../turns/captured-live.ts';
import { runExtension } from '../turns/run-extension.ts';
import { splitWords } from '../turns/split-words.ts';
import { MAX_PROMPT_CHARS, parseTurnAgent } from '../turns/turn-arguments.ts';
import { loadInventory } from './inventory/load-inventory.ts';
import { notInInventory } from './inventory/not-in-inventory.ts';

interface Executed {
  readonly name: string;
  readonly prompt: string;
  readonly isHandled: boolean;
  readonly message: string;
  readonly sourceHint?: string;
  readonly runId?: string | undefined;
  readonly result?: JsonObject;
  readonly failure?: Failure | undefined;
}

/** They never end, want the terminal, or would go round in a circle. */
const REFUSED: ReadonlySet<string> = new Set([
  'chat',
  'exec-command',
  'exec-tool',
  'mcp serve',
  'serve',
]);

export const execCommand = defineCommand({
  usage: 'NAME [PROMPT] [--agent ID]',
  description:
    'A command of this program gets PROMPT cut into words as a shell would, without one; its text is the message. A\n' +
    "command of a skill or a plugin becomes a run: its text is the agent's instructions, PROMPT the request. A prompt that\n" +
    'begins with a dash goes behind --. Exit code 1: it failed, was refused, or there is none of that name.',
  args: { min: 1, max: 2 },
  options: {
    agent: { kind: 'text', value: 'ID', summary: 'who follows a skill (default agent_default)' },
  },
  examples: [
    'claw exec-command "runs list" -- "--limit 3"',
    'claw exec-command review "the last commit" --output-format json',
  ],
  handlesInterrupt: true,
  async run({ args, options }, context): Promise<Executed> {
    const [name = '', prompt = ''] = args;
    const agentId = parseTurnAgent(options.agent, 'exec-command');
    assertPrompt(prompt);
    const { commands } = await loadInventory(context);
    const found = findInventoryEntry(commands, name.trim().replace(/\s+/g, ' '));
    if (found === undefined) return notFound(context, { name, prompt, commands });
    const { entry, spelling } = found;
    const known = { name: spelling, prompt, sourceHint: entry.sourceHint };
    try {
      if (isExtension(entry)) {
        const ran = await runExtension(context, { entry, prompt, agentId });
        return { ...known, ...ran };
      }
      return { ...known, ...(await runBuiltIn(context, entry.name, prompt)) };
    } catch (thrown) {
      // A defect is told with its stack, as everywhere.
      if (!(thrown instanceof RuntimeError) || thrown.code === 'internal') throw thrown;
      const place = { operation: entry.name.replace(/[ -]/g, '_'), target: entry.name };
      const failure = toFailure(thrown, place);
      return { ...known, isHandled: false, message: thrown.message, failure: withoutName(failure) };
    }
  },
  fields: ({ name, prompt, isHandled, message, sourceHint, runId, result }): JsonObject => ({
    name,
    prompt,
    handled: isHandled,
    message,
    ...defined({ source_hint: sourceHint, run_id: runId, result }),
  }),
  text: ({ isHandled, message }) => (isHandled ? toPlainText(message) : ''),
  failure: ({ failure }) => failure,
});

async function runBuiltIn(context: CliContext, name: string, prompt: string) {
  const isSlash = name.startsWith('/');
  if (isSlash || REFUSED.has(name)) {
    const hint = isSlash ? 'type it in claw chat' : `run claw ${name} itself`;
    throw new RuntimeError('invalid_input', `${name} can't be executed by another command`, {
      details: { operation: 'exec_command', target: name, hint },
    });
  }
  const captured = captureLive(context.live);
  const argv = [...name.split(' '), ...splitWords(prompt)];
  const { fields, failure, text } = await context.commands.execute(argv, captured.live);
  return {
    isHandled: true,
    message: `${captured.text()}${text}`.trimEnd(),
    result: fields,
    failure,
  };
}

/** What was not found in there is told by the error; the outer `name` is the command's. */
function withoutName(failure: Failure): Failure {
  return failure.exitCode === 1 ? { exitCode: 1, error: failure.error } : failure;
}

function assertPrompt(prompt: string): void {
  if (prompt.length <= MAX_PROMPT_CHARS && !prompt.includes('\0')) return;
  throw parseError(`the prompt must be text of at most ${MAX_PROMPT_CHARS} characters`, {
    target: 'exec-command',
  });
}

function isExtension(entry: InventoryEntry | ExtensionEntry): entry is ExtensionEntry {
  return entry.origin === 'plugin' || entry.origin === 'skill';
}

async function notFound(
  context: CliContext,
  asked: {
    readonly name: string;
    readonly prompt: string;
    readonly commands: readonly InventoryEntry[];
  },
): Promise<Executed> {
  const { name, prompt, commands } = asked;
  const error = await notInInventory(context.parts, { thing: 'command', name, entries: commands });
  const failure = toFailure(error, { operation: 'find_command', target: name });
  return { name, prompt, isHandled: false, message: error.message, failure };
}
