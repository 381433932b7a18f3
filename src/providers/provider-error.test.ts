import { describe, expect, test } from 'vitest';
import { answers, chatDelta, streams } from '../../test/support/provider-server.ts';
import {
  collectParts,
  KEY,
  openServedModel,
  PROVIDERS,
  toFault,
} from '../../test/support/served-model.ts';

describe.each(PROVIDERS)('%s', (provider) => {
  test('asks for another attempt after 429 and says when', async () => {
    const { model } = await openServedModel(provider, [
      answers(
        429,
        { type: 'error', error: { type: 'rate', message: 'slow down' } },
        { 'retry-after': '7' },
      ),
    ]);

    const { parts, error } = await collectParts(model);

    expect(parts).toEqual([]);
    expect(toFault(error)).toEqual({
      code: 'provider_failed',
      retryable: true,
      message: `${provider} answered HTTP 429: slow down`,
      details: { status: 429, retryAfterMs: 7000 },
    });
  });

  test.each([
    [500, true],
    [503, true],
    [408, true],
    [400, false],
    [404, false],
  ])('treats HTTP %i as retryable: %s', async (status, retryable) => {
    const { model, server } = await openServedModel(provider, [
      answers(status, {
        type: 'error',
        error: { type: 'x', message: `no: ${KEY} ${'y'.repeat(5000)}` },
      }),
    ]);

    const { error } = await collectParts(model);

    expect(error?.code).toBe('provider_failed');
    expect(error?.retryable).toBe(retryable);
    expect(error?.details).toEqual({ status });
    expect(error?.cause).toBeUndefined();
    expect(error?.message.length).toBeLessThan(360);
    if (provider !== 'ollama') expect(error?.message).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });

  test('says which key was refused, and not what it was', async () => {
    const { model } = await openServedModel(provider, [
      answers(401, { type: 'error', error: { type: 'auth', message: `bad key ${KEY}` } }),
    ]);
    const variable = {
      openai: 'OPENAI_API_KEY',
      anthropic: 'ANTHROPIC_API_KEY',
      openrouter: 'OPENROUTER_API_KEY',
      ollama: undefined,
      'openai-compatible': 'OPENAI_COMPAT_API_KEY',
    }[provider];

    const { error } = await collectParts(model);

    expect(toFault(error)).toEqual({
      code: 'provider_misconfigured',
      retryable: false,
      message: `${provider} refused ${variable ? `the key in ${variable}` : 'the request'} (HTTP 401)`,
      details: { status: 401, ...(variable ? { variable } : {}) },
    });
  });

  test('gives up on a server that stays silent', async () => {
    const { model, server } = await openServedModel(provider, [() => {}], {
      requestTimeoutMs: 40,
    });

    const { error } = await collectParts(model);

    expect(toFault(error)).toEqual({
      code: 'provider_failed',
      retryable: true,
      message: expect.stringMatching(
        `^${provider} cannot be reached at ${server.url} \\(no answer within 40 ms\\): check`,
      ),
      details: { timeoutMs: 40, host: '127.0.0.1' },
    });
  });

  test('says where nobody answers', async () => {
    const { model, server } = await openServedModel(provider, []);
    const { url } = server;
    const next =
      provider === 'ollama'
        ? 'start it with ollama serve, or set OLLAMA_HOST'
        : 'check the network and the base URL';
    await server.close();

    const { error } = await collectParts(model);

    expect(toFault(error)).toEqual({
      code: 'provider_failed',
      retryable: true,
      message: `${provider} cannot be reached at ${url} (ECONNREFUSED): ${next}`,
      details: { code: 'ECONNREFUSED', host: '127.0.0.1', unreachable: true },
    });
  });
});

test('reports an error that comes in the middle of a stream', async () => {
  const { model } = await openServedModel('openrouter', [
    streams(
      `data: ${JSON.stringify(chatDelta({ content: 'x' }))}\n\ndata: {"error":{"code":502,"message":"upstream died"}}\n\n`,
    ),
  ]);

  const { parts, error } = await collectParts(model);

  expect(parts).toEqual([{ type: 'text', delta: 'x' }]);
  expect(toFault(error)).toEqual({
    code: 'provider_failed',
    retryable: true,
    message: 'openrouter answered HTTP 502: upstream died',
    details: { status: 502 },
  });
});

test('does not quote an answer that is no event stream', async () => {
  const { model } = await openServedModel('openai', [
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: <html>secret page</html>\n\n');
    },
  ]);

  const { parts, error } = await collectParts(model);

  expect(parts).toEqual([]);
  expect(toFault(error)).toEqual({
    code: 'provider_failed',
    retryable: true,
    message: 'openai sent an answer that cannot be read (AI_JSONParseError)',
    details: undefined,
  });
});
