import { expect, onTestFinished, test } from 'vitest';
import type { AgentId } from '../../../src/core/ids.ts';
import {
  type GatewayScript,
  startGateway,
  type TestGateway,
} from '../../support/openclaw-gateway.ts';
import { type OpenAiServer, openOpenAiServer } from './test-openai-server.ts';

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const FUNCTION = { name: 'look_up', parameters: { type: 'object' } };
const SCHEMA = { schema: { type: 'object' } };

async function open(): Promise<{ server: OpenAiServer; gateway: TestGateway }> {
  const script: GatewayScript = { work: () => 'Found it.' };
  const gateway = await startGateway(script);
  onTestFinished(() => gateway.stop());
  const server = await openOpenAiServer(
    { steps: [{ text: 'Said here.' }] },
    {
      config: { openclaw: { url: gateway.url } },
      env: { OPENCLAW_GATEWAY_TOKEN: 'gateway-token' },
    },
  );
  await server.runtime.agents.create({ id: 'lince' as AgentId, runtime: 'openclaw' });
  return { server, gateway };
}

function ask(path: string, model: string, more: object): object {
  const asked = path === CHAT ? { messages: [{ role: 'user', content: 'Hi' }] } : { input: 'Hi' };
  return { model, ...asked, ...more };
}

test.each<[string, object, string]>([
  [CHAT, { tools: [{ type: 'function', function: FUNCTION }] }, 'tools'],
  [CHAT, { response_format: { type: 'json_object' } }, 'response_format'],
  [CHAT, { stop: 'END' }, 'stop'],
  [CHAT, { max_tokens: 5 }, 'max_tokens'],
  [CHAT, { max_completion_tokens: 5 }, 'max_completion_tokens'],
  [CHAT, { temperature: 0 }, 'temperature'],
  [CHAT, { top_p: 0.5 }, 'top_p'],
  [CHAT, { presence_penalty: 1 }, 'presence_penalty'],
  [CHAT, { frequency_penalty: 1 }, 'frequency_penalty'],
  [CHAT, { seed: 7 }, 'seed'],
  [RESPONSES, { tools: [{ type: 'function', ...FUNCTION }] }, 'tools'],
  [RESPONSES, { text: { format: { type: 'json_schema', ...SCHEMA } } }, 'text.format'],
  [RESPONSES, { max_output_tokens: 5 }, 'max_output_tokens'],
])(
  '%s refuses %j for an agent in a gateway, which would not hear of it',
  async (path, more, param) => {
    const { server, gateway } = await open();

    const answer = await server.post(path, ask(path, 'agent/lince', more));
    const direct = await server.post(path, ask(path, 'openclaw/main', more));

    for (const { status, body } of [answer, direct]) {
      expect(status).toBe(400);
      expect(body).toEqual({
        error: {
          message: `${param} is not supported: the agent lives in an OpenClaw gateway, which decides how it answers. Leave it out, or ask an agent of this runtime`,
          type: 'invalid_request_error',
          param,
          code: 'unsupported_parameter',
        },
      });
    }
    expect(gateway.asked).toEqual([]);
    expect((await server.runtime.runs.list({ limit: 1 })).runs).toEqual([]);
  },
);

test('an agent in a gateway answers what says nothing of how to', async () => {
  const { server, gateway } = await open();
  const silent = { tools: [], tool_choice: 'auto', stop: null, response_format: { type: 'text' } };

  const { status, body } = await server.post(CHAT, ask(CHAT, 'agent/lince', silent));

  expect(status).toBe(200);
  expect(body).toMatchObject({ choices: [{ message: { content: 'Found it.' } }] });
  expect(gateway.asked).toMatchObject([{ message: 'Hi' }]);
});

test('beside a gateway an agent of this runtime takes settings as ever', async () => {
  const { server } = await open();

  const { status } = await server.post(CHAT, ask(CHAT, 'agent/pincer', { stop: 'END' }));

  expect(status).toBe(200);
  expect(server.requests).toMatchObject([{ settings: { stop: ['END'] } }]);
});
