import { afterEach, expect, test } from 'vitest';
import type { RuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { failureOf } from '../test-workspace.ts';
import { openTestInternet, PUBLIC, type TestInternet } from './test-internet.ts';

const open: TestInternet[] = [];

async function openInternet(answer: Parameters<typeof openTestInternet>[1]): Promise<TestInternet> {
  const internet = await openTestInternet({ 'site.example': [[PUBLIC]] }, answer);
  open.push(internet);
  return internet;
}

afterEach(async () => {
  for (const internet of open.splice(0)) await internet.close();
});

const url = 'http://site.example/';

test('tells whether the other side may have acted when an exchange breaks', async () => {
  const internet = await openInternet((_, response) => response.destroy());
  const fault = async (method: string) => {
    const thrown: unknown = await internet.call({ url, method }).catch((error: unknown) => error);
    const { code, retryable, details } = thrown as RuntimeError;
    return { code, retryable, effect: details?.['effect'] };
  };

  expect(await fault('GET')).toEqual({ code: 'tool_failed', retryable: true, effect: 'none' });
  expect(await fault('POST')).toEqual({ code: 'tool_failed', retryable: false, effect: 'unknown' });
});

test('says that a write may have happened when a redirect of its answer leads nowhere', async () => {
  const places = { '/private': 'http://10.0.0.1/', '/loop': '/loop', '/none': '', '/gone': '/cut' };
  const internet = await openInternet((request, response) => {
    if (request.url === '/cut') return void response.destroy();
    const location = places[request.url as keyof typeof places];
    response.writeHead(302, { location }).end();
  });
  const fault = async (method: string, path: string) => {
    const { code, details } = await failureOf(
      internet.call({ url: `http://site.example${path}`, method }),
    );
    return `${code} ${String((details as JsonObject)['effect'])}`;
  };
  const paths = Object.keys(places);

  expect(await Promise.all(paths.map((path) => fault('POST', path)))).toEqual([
    'policy_denied unknown',
    'policy_denied unknown',
    'policy_denied unknown',
    'tool_failed unknown',
  ]);
  expect(await fault('GET', '/private')).toBe('policy_denied undefined');
});

test.each([
  ['GET', 503, true, 'none'],
  ['POST', 503, false, 'unknown'],
  ['POST', 429, false, 'none'],
] as const)('a busy answer to %s, %i, is a failure', async (method, status, retryable, effect) => {
  const internet = await openInternet((_, response) => {
    response.writeHead(status, { 'retry-after': '2' }).end('later');
  });

  const thrown: unknown = await internet.call({ url, method }).catch((error: unknown) => error);

  expect(thrown).toMatchObject({
    code: 'tool_failed',
    message: `site.example answered ${status}`,
    retryable,
    details: { host: 'site.example', status, retryAfterMs: 2_000, effect, body: 'later' },
  });
});
