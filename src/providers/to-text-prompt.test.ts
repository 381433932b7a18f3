import { describe, expect, test } from 'vitest';
import { answers, chatDelta, streams, toChatStream } from '../../test/support/provider-server.ts';
import { ASK, collectParts, openServedModel } from '../../test/support/served-model.ts';
import { parseToolCalls } from '../core/loop/answers/parse-tool-calls.ts';
import type { Message, ModelPart, ModelRequest } from '../core/loop/model.ts';
import { textCallAdvice } from '../core/loop/system-prompt.ts';
import { toTextPrompt } from './to-text-prompt.ts';

describe('a server whose model takes no tools', () => {
  const refusal = answers(400, {
    error: {
      message: 'registry.ollama.ai/library/gemma:2b does not support tools',
      type: 'api_error',
    },
  });
  const written = '```tool\n{"tool_name": "fs.read", "arguments": {"path": "a.txt"}}\n```';
  const textAnswer = streams(
    toChatStream([chatDelta({ content: `Reading.\n${written}` }), chatDelta({}, 'stop')]),
  );

  test('is asked again in text, within the same call, and stays so', async () => {
    const { model, server } = await openServedModel('ollama', [refusal, textAnswer]);
    expect(model.toolCalls).toBe('native');

    const first = await collectParts(model);
    const second = await collectParts(model);

    expect(model.toolCalls).toBe('text');
    expect(first).toEqual(second);
    const { calls } = parseToolCalls(textOf(first.parts), (name) => name);
    expect(calls).toEqual([{ callId: 'tool-json-1', tool: 'fs.read', input: { path: 'a.txt' } }]);
    const bodies = server.requests.map((request) => request.body as Record<string, unknown>);
    expect(bodies.map((body) => 'tools' in body)).toEqual([true, false, false]);
  });

  test('is found out by several runs at once', async () => {
    const { model } = await openServedModel('ollama', [
      (response, request) =>
        ('tools' in (request.body as object) ? refusal : textAnswer)(response, request),
    ]);

    const results = await Promise.all([
      collectParts(model),
      collectParts(model),
      collectParts(model),
    ]);

    expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  });

  test('gets tools, calls and results as text, sides alternating', async () => {
    const { model, server } = await openServedModel('openai-compatible', [textAnswer], {
      textToolCalls: ['openai-compatible/local'],
    });
    const request: ModelRequest = {
      ...ASK,
      messages: [
        { role: 'user', text: 'read both' },
        {
          role: 'assistant',
          text: 'Reading.',
          toolCalls: [{ callId: 'c1', tool: 'fs.read', input: { path: 'a' } }],
        },
        { role: 'tool', callId: 'c1', tool: 'fs.read', ok: true, text: 'A' },
        { role: 'user', text: 'and?' },
      ],
    };

    await collectParts(model, request);

    const body = server.requests[0]?.body as { messages: { role: string; content: string }[] };
    expect(body.messages.slice(1)).toEqual([
      { role: 'user', content: 'read both' },
      {
        role: 'assistant',
        content:
          'Reading.\n\n```tool\n{"tool_name":"fs.read","arguments":{"path":"a"},"id":"c1"}\n```',
      },
      { role: 'user', content: 'tool fs.read result (c1):\nA\n\nand?' },
    ]);
    expect(body.messages[0]?.content).toBe(`Be brief.\n\n${textCallAdvice(ASK.tools)}`);
  });

  test('is told once how to call tools', async () => {
    const { model, server } = await openServedModel('ollama', [refusal, textAnswer]);
    const system = `Be brief.\n\n${textCallAdvice(ASK.tools)}`;

    await collectParts(model);
    await collectParts(model, { ...ASK, system });

    const sent = server.requests.map(
      ({ body }) => (body as { messages: { content: string }[] }).messages[0]?.content,
    );
    expect(sent).toEqual(['Be brief.', system, system]);
  });

  test('is not suspected when it refuses for another reason', async () => {
    const { model, server } = await openServedModel('ollama', [
      answers(400, { error: { message: 'bad tool schema' } }),
    ]);

    const { error } = await collectParts(model);

    expect(error?.message).toBe('ollama answered HTTP 400: bad tool schema');
    expect(model.toolCalls).toBe('native');
    expect(server.requests).toHaveLength(1);
  });
});

function textOf(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');
}

test('a result of an earlier run keeps the heading it was stored with', () => {
  const text = 'tool fs.read result (call_1)\nsummary: read 3 line(s)';
  const messages: Message[] = [
    { role: 'assistant', text: 'Hello.', toolCalls: [] },
    { role: 'tool', callId: 'call_1-2', tool: 'fs.read', ok: true, text },
  ];

  const prompt = toTextPrompt({ system: '', tools: [], messages });

  expect(prompt).toEqual([
    {
      role: 'user',
      content: [{ type: 'text', text: '(The conversation begins with your message.)' }],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
    { role: 'user', content: [{ type: 'text', text }] },
  ]);
});
