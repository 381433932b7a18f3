import * as z from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { adoptAlias } from '../files/repair-arguments.ts';

const MAX_TITLE_CHARS = 200;
const MAX_CONTENT_CHARS = 8_000;
const DEFAULT_IMPORTANCE = 4;
const DEFAULT_CONFIDENCE = 0.9;

const IMPORTANCE_MESSAGE = 'importance must be a whole number from 1 to 5';
const CONFIDENCE_MESSAGE = 'confidence must be a number from 0 to 1';

const input = z.strictObject({
  title: textField('title', MAX_TITLE_CHARS).describe('The decision in one line.'),
  content: textField('content', MAX_CONTENT_CHARS).describe(
    'What was decided and why, and what was decided against.',
  ),
  importance: z
    .int({ error: IMPORTANCE_MESSAGE })
    .min(1, IMPORTANCE_MESSAGE)
    .max(5, IMPORTANCE_MESSAGE)
    .describe(`From 1 to 5; ${DEFAULT_IMPORTANCE} when left out.`)
    .optional(),
  confidence: z
    .number({ error: CONFIDENCE_MESSAGE })
    .min(0, CONFIDENCE_MESSAGE)
    .max(1, CONFIDENCE_MESSAGE)
    .describe(`From 0 to 1; ${DEFAULT_CONFIDENCE} when left out.`)
    .optional(),
});

function textField(name: string, maxChars: number) {
  const tooLong = `${name} must have at most ${maxChars} characters`;
  return z
    .string({
      error: (issue) =>
        issue.input === undefined ? `${name} is required` : `${name} must be a string`,
    })
    .trim()
    .min(1, `${name} must not be empty`)
    .max(maxChars, tooLong);
}

interface Recorded {
  readonly recorded: true;
  readonly title: string;
  readonly importance: number;
  readonly confidence: number;
  readonly summary: string;
}

/**
 * The record is the call itself: its arguments stand in the run's `tool.call` event, redacted, hashed and kept like
 * every event. So the handler has nothing left to do. It is declared a write because putting something on record is
 * what it is for and an agent that may only read has no business there, and idempotent because a second run of the
 * handler, as after a crash, adds nothing to the one event.
 */
export function createDecisionLog(): Tool {
  return defineTool<z.infer<typeof input>, Recorded>({
    name: 'decision.log',
    description:
      "Put a decision and its reasons on record in the run's log, where people and later readers find it.",
    effect: 'write',
    idempotent: true,
    serves: 'everyone',
    source: 'src/toolbox/runs/decision-log.ts',
    input,
    repair: repairDecision,
    summarize: (_, { summary }) => summary,

    async execute({ title, importance, confidence }) {
      return {
        recorded: true,
        title,
        importance: importance ?? DEFAULT_IMPORTANCE,
        confidence: confidence ?? DEFAULT_CONFIDENCE,
        summary: `recorded decision: ${title}`,
      };
    },
  });
}

function repairDecision(raw: JsonObject): JsonObject {
  const titled = adoptAlias(raw, 'title', ['decision', 'name']);
  return adoptAlias(titled, 'content', ['text', 'body', 'rationale', 'reason']);
}
