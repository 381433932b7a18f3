import { z } from 'zod';
import { MAX_MESSAGE_CHARS } from '../../core/chat/chat-request.ts';
import { EVENT_TYPES } from '../../core/events/event.ts';
import { agentId, anyJson, runId } from '../fields.ts';
import { askable, modelReference } from './run-shapes.ts';

const seq = z.int().min(1).meta({ description: 'The `seq` of an event.' });

const comparedEvent = z.object({
  event_type: z.enum(EVENT_TYPES),
  actor: z.string(),
  payload: z.record(z.string(), anyJson),
});

export const replay = z
  .object({
    run_id: z.string(),
    equal: z.boolean(),
    matched_events: z
      .int()
      .meta({ description: 'Events that the loop made again as they are on record.' }),
    divergence: z
      .object({
        seq,
        recorded: comparedEvent.nullable().meta({ description: 'Null: the record was over.' }),
        replayed: comparedEvent
          .nullable()
          .meta({ description: 'Null: the loop had nothing more to do.' }),
      })
      .nullable(),
  })
  .meta({
    id: 'Replay',
    examples: [{ run_id: 'run_01jv8z4q0k6c', equal: true, matched_events: 12, divergence: null }],
  });

export const forkRunBody = z
  .strictObject({
    at_seq: z.int().meta({
      description:
        'The last event that the new run knows of: 1 to the `last_seq` of the run, not inside a tool call.',
    }),
    message: askable(MAX_MESSAGE_CHARS).optional().meta({
      description: 'What is asked next. Absent: it goes on with what was asked.',
    }),
    model: modelReference.optional().meta({
      description: 'The model of the new run. Absent: as the first, unless the agent is another.',
    }),
    agent_id: agentId.optional().meta({ description: 'Absent: the agent of the first run.' }),
  })
  .meta({ examples: [{ at_seq: 7, model: 'anthropic/claude-sonnet-4-5' }] });

export const forkCreated = z
  .object({
    id: z.string(),
    status: z.literal('queued'),
    forked_from: z.object({ run_id: z.string(), seq }),
  })
  .meta({
    examples: [
      {
        id: 'run_01jv8z9d3m2x',
        status: 'queued',
        forked_from: { run_id: 'run_01jv8z4q0k6c', seq: 7 },
      },
    ],
  });

export const diffQuery = z.strictObject({
  with: runId.meta({ description: 'The run to compare it with.' }),
});

const runStep = z.object({
  seq,
  event_type: z.enum(EVENT_TYPES),
  line: z.string().meta({ description: 'One line for people.' }),
});

const detailedStep = runStep.extend({
  said: z.record(z.string(), anyJson).meta({
    description: 'What is compared: without ids, times and whatever else differs each time.',
  }),
});

export const runDiff = z
  .object({
    left: z.string(),
    right: z.string(),
    equal: z.boolean(),
    same_steps: z.int().meta({ description: 'Equal steps before the first that differs.' }),
    shared_through_seq: z.int().nullable().meta({
      description:
        'Where one is a fork of the other: up to here they are one run, and compared from there on.',
    }),
    first_divergence: z
      .object({ left: detailedStep.nullable(), right: detailedStep.nullable() })
      .nullable(),
    steps: z.array(
      z.object({ equal: z.boolean(), left: runStep.nullable(), right: runStep.nullable() }),
    ),
    truncated: z.boolean().meta({ description: 'There are more steps than are listed.' }),
  })
  .meta({ id: 'RunDiff' });

export type ReplayShape = z.infer<typeof replay>;
export type RunDiffShape = z.infer<typeof runDiff>;
export type RunStepShape = z.infer<typeof detailedStep>;
