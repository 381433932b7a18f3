import type { Integrations } from '../../core/integrations/integrations.ts';
import { answer } from '../http/answers/answers.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { BODY_ERRORS, errorAnswers, SIGNED, SIGNED_ERRORS } from './answers.ts';
import { getUserId } from './principal.ts';
import { assertSameUser, decodeExecute, encodeExecutionAnswer } from './tool-codec.ts';
import { executeAnswer, executeBody, executeHeaders } from './tool-schema.ts';

export interface ToolRouteDeps {
  readonly integrations: Integrations;
}

const executeTool = {
  summary: 'Make a call of a tool pack',
  description:
    'coding.v1 is GitHub, comms.v1 is Resend. A refusal by policy is 200 with state blocked, a failure of the service ' +
    '200 with state failed. With run_id and request.tool_call_id the call is made once: the same again answers with ' +
    'its receipt, another request under the same id is a conflict.',
  tags: ['internal'],
  security: SIGNED,
  headers: executeHeaders,
  body: executeBody,
  response: {
    200: answer('How the call ended, with its receipt.', executeAnswer),
    ...errorAnswers(...SIGNED_ERRORS, 404, 409, ...BODY_ERRORS, 422),
  },
};

export function addToolRoutes(app: SurfaceApp, { integrations }: ToolRouteDeps): void {
  app.post('/tools/execute', { schema: executeTool }, async (request, reply) => {
    const { statedUserId, ...decoded } = decodeExecute(request.body);
    const userId = getUserId(request);
    assertSameUser(statedUserId, userId);
    return reply.send(encodeExecutionAnswer(await integrations.execute({ ...decoded, userId })));
  });
}
