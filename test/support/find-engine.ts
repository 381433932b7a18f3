import { once } from 'node:events';
import { request } from 'node:http';
import { inject } from 'vitest';
import type { Engine, EngineName } from './engine-hub.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the hub that starts shared engines on first use. */
    engineHub: string;
  }
}

/**
 * The shared engine, or why there is none. With REQUIRE_ENGINES=1 a missing engine is an error,
 * else the reason is printed and the caller skips its tests.
 */
export async function findEngine(name: EngineName): Promise<Engine> {
  const engine = await askHub(inject('engineHub'), name);
  if (engine.available) return engine;
  if (process.env['REQUIRE_ENGINES'] === '1') throw new Error(`${name}: ${engine.reason}`);
  console.warn(`skipping tests on ${name}: ${engine.reason}`);
  return engine;
}

async function askHub(hubUrl: string, name: EngineName): Promise<Engine> {
  // Not fetch: its five minutes without a header are less than a package may take to install.
  const call = request(`${hubUrl}/${name}`).end();
  const [reply] = await once(call, 'response');
  let body = '';
  for await (const part of reply.setEncoding('utf8')) body += part;
  return JSON.parse(body);
}
