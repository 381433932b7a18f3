import { RuntimeError } from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { FinishReason, Message, Model, ModelPart } from '../../src/core/loop/model.ts';
import { untilAborted } from '../support/until-aborted.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';

/** What a run is to go through. The message of a run names one, with a seed: `plan mixed 17`. */
export type PlanKind =
  | 'mixed'
  | 'files'
  | 'memory'
  | 'handoff'
  | 'failing'
  | 'circling'
  | 'endless'
  | 'asking'
  | 'hanging_tool'
  | 'hanging_model'
  | 'gated'
  | 'flaky'
  | 'refused'
  | 'stopped'
  | 'client';

interface Step {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  readonly reason?: FinishReason;
}

interface PlannedCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly malformed?: string;
}

const WORDS = 'tide crab shell reef salt wave sand kelp foam pearl'.split(' ');
const PLAN = /plan (\w+) (\d+)/;

/** A model that does what the newest plan in its conversation says, in any process and at any time. */
export function createSeededModel(toolCalls: Model['toolCalls']): Model {
  const failures = new Map<string, number>();
  return {
    provider: 'seeded',
    name: toolCalls,
    toolCalls,
    async *stream({ messages }, signal) {
      const { kind, seed, turn } = findPlan(messages);
      const random = createSeededRandom(seed * 1_000 + turn);
      if (kind === 'hanging_model') {
        yield { type: 'text', delta: 'half an ' };
        await untilAborted(signal);
      }
      if (kind === 'refused') throw failure('the provider refused', { status: 400 });
      const key = `${kind} ${seed} ${turn}`;
      if (kind === 'flaky' && (failures.get(key) ?? 0) < random.below(3)) {
        failures.set(key, (failures.get(key) ?? 0) + 1);
        throw failure('the provider is busy', { status: 503, retryAfterMs: 0 });
      }
      yield* toParts(toStep(kind, turn, random), { toolCalls, random });
    },
  };
}

function failure(message: string, details: Record<string, unknown>): RuntimeError {
  const retryable = details['status'] !== 400;
  return new RuntimeError('provider_failed', message, { retryable, details });
}

function findPlan(messages: readonly Message[]) {
  const at = messages.findLastIndex(({ role, text }) => role === 'user' && PLAN.test(text));
  const [, kind = 'mixed', seed = '0'] = PLAN.exec(messages[at]?.text ?? '') ?? [];
  const turn = messages.slice(at + 1).filter(({ role }) => role === 'assistant').length;
  return { kind: kind as PlanKind, seed: Number(seed), turn };
}

function toStep(kind: PlanKind, turn: number, random: SeededRandom): Step {
  const calls = planCalls(kind, turn, random);
  const words = Array.from({ length: 1 + random.below(12) }, () => random.pick(WORDS));
  const reason =
    kind === 'stopped' ? random.pick(['length', 'content_filter'] as const) : undefined;
  return { text: words.join(' '), calls, ...(reason && { reason }) };
}

function planCalls(kind: PlanKind, turn: number, random: SeededRandom): readonly PlannedCall[] {
  switch (kind) {
    case 'failing':
      return [{ tool: 'test.fail', input: { way: turn } }];
    case 'circling':
      return [{ tool: 'test.same', input: {} }];
    case 'endless':
      return [{ tool: 'test.look', input: { at: turn } }];
    case 'asking':
      return turn === 0 ? [planSend(random), ...planMixed(random)] : [];
    case 'hanging_tool':
      return turn === 0 ? planMixed(random) : [{ tool: 'test.hang', input: {} }];
    case 'gated':
      return turn === 0
        ? [{ tool: random.pick(['test.gate', 'test.gated_write']), input: { turn } }]
        : [];
    case 'client':
      return turn === 0 ? [{ tool: 'client.pick', input: { from: WORDS } }] : [];
    case 'files':
      return turn < 2 ? planFiles(turn, random) : [];
    case 'memory':
      return turn < 2 ? planMemory(turn, random) : [];
    case 'handoff':
      return turn === 0
        ? [
            {
              tool: 'agent.handoff',
              input: { to_agent_id: 'agent_second', content: `plan mixed ${random.below(9_999)}` },
            },
          ]
        : [];
    default:
      return turn < random.below(4) ? planMixed(random) : [];
  }
}

function planSend(random: SeededRandom): PlannedCall {
  return { tool: 'test.send', input: { to: random.pick(WORDS) } };
}

function planMixed(random: SeededRandom): PlannedCall[] {
  const at = () => random.pick(WORDS);
  const kinds: readonly (() => PlannedCall)[] = [
    () => ({ tool: 'test.look', input: { at: at() } }),
    () => ({ tool: 'test.look', input: { at: at() } }),
    () => ({ tool: 'test.now', input: {} }),
    () => ({ tool: 'test.note', input: { text: at() } }),
    () => ({ tool: 'test.fail', input: { way: random.below(100) } }),
    () => ({ tool: 'test.exit', input: { code: random.below(2) } }),
    () => ({ tool: 'test.big', input: {} }),
    () => ({ tool: 'test.secret', input: { password: 'correct horse battery' } }),
    () => ({ tool: 'test.forbidden', input: {} }),
    () => ({ tool: 'no.such_tool', input: {} }),
    () => ({ tool: 'test.look', input: { at: 1, more: { deep: [at()] } } }),
    () => ({ tool: 'test.look', input: {}, malformed: '{"at": ' }),
  ];
  return Array.from({ length: 1 + random.below(6) }, () => random.pick(kinds)());
}

function planFiles(turn: number, random: SeededRandom): PlannedCall[] {
  const path = `${random.pick(WORDS)}-${random.below(50)}.txt`;
  if (turn === 0) return [{ tool: 'fs.write', input: { path, content: random.pick(WORDS) } }];
  return [
    { tool: 'fs.read', input: { path } },
    { tool: 'fs.list', input: { path: '.' } },
  ];
}

function planMemory(turn: number, random: SeededRandom): PlannedCall[] {
  const word = random.pick(WORDS);
  return turn === 0
    ? [{ tool: 'memory.write', input: { content: `The plan likes ${word} best.` } }]
    : [{ tool: 'memory.search', input: { query: word } }];
}

function* toParts(
  { text, calls, reason }: Step,
  { toolCalls, random }: { toolCalls: Model['toolCalls']; random: SeededRandom },
): Generator<ModelPart> {
  for (const word of text.split(/(?<= )/)) yield { type: 'text', delta: word };
  if (toolCalls === 'text') {
    for (const { tool, input } of calls) {
      const block = JSON.stringify({ tool_name: tool, arguments: input });
      yield { type: 'text', delta: `\n\`\`\`tool\n${block}\n\`\`\`` };
    }
  } else {
    // Ids that repeat, and some that are missing.
    const ids = ['', 'call', 'call_1'];
    for (const call of calls)
      yield { type: 'tool_call', call: { callId: random.pick(ids), ...call } };
  }
  const usage = {
    inputTokens: random.isTrue(0.1) ? null : random.below(500),
    outputTokens: random.below(200),
    ...(random.isTrue(0.2) ? { cachedInputTokens: random.below(20) } : {}),
  };
  yield { type: 'finish', reason: reason ?? (calls.length > 0 ? 'tool_calls' : 'stop'), usage };
}
