import { z } from 'zod';
import { MAX_MESSAGE_CHARS } from '../../core/chat/chat-request.ts';
import { PLACE_NAME_PATTERN } from '../../core/chat/place-name.ts';
import { agentId, projectId } from '../fields.ts';
import { askable, createRunHeaders, sessionId } from '../runs/run-shapes.ts';

/** As for any run. */
export const sendMessageHeaders = createRunHeaders;

const DEFAULT_CHANNEL = 'http';
const DEFAULT_ROOM = 'dashboard';

const placeName = z.string().min(1).regex(PLACE_NAME_PATTERN, {
  error: 'must be 1 to 128 characters, without control characters, /, \\ or ..',
});

export const sendMessageBody = z
  .strictObject({
    user_id: placeName.meta({ description: 'Who writes.' }),
    room_id: placeName.default(DEFAULT_ROOM).meta({ description: 'Where it is said.' }),
    channel: placeName.default(DEFAULT_CHANNEL).meta({ description: 'How it got here.' }),
    agent_id: agentId.optional().meta({
      description: 'Absent: the agent chosen here with /agent, else `chat.default_agent_id`.',
    }),
    session_id: sessionId.optional().meta({
      description:
        'One of the sessions of this user, room, channel and agent. Absent: the active one.',
    }),
    project_id: projectId.optional().meta({ description: 'What the work counts for.' }),
    // No bound of its own: one that is too long is too large, 413, wherever the body's limit lies.
    message: askable(Number.MAX_SAFE_INTEGER).meta({
      description: 'What the agent is asked to do, or a command such as /help.',
      maxLength: MAX_MESSAGE_CHARS,
    }),
  })
  .meta({
    examples: [
      {
        user_id: '123456',
        room_id: 'dev-room',
        agent_id: 'agent_default',
        message: 'Summarize today updates',
      },
    ],
  });

export const messageQueued = z
  .object({ id: z.string(), status: z.literal('queued'), session_id: z.string() })
  .meta({ examples: [{ id: 'run_456', status: 'queued', session_id: 'session_abc' }] });

export const commandAnswered = z
  .object({ response: z.string(), session_id: z.string().optional() })
  .meta({
    examples: [{ response: 'Started new chat: session_abc', session_id: 'session_abc' }],
  });

export type SendMessageBody = z.infer<typeof sendMessageBody>;
export type ChatAnswerShape = z.infer<typeof messageQueued> | z.infer<typeof commandAnswered>;
