import { mkdir, writeFile } from 'node:fs/promises';
import OpenAI from 'openai';
import { silentLogger } from '../../../src/core/log.ts';
import type { Model, ModelRequest } from '../../../src/core/loop/model.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import { parseModelReference } from '../../../src/providers/model-reference.ts';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import { createScriptedModel } from '../../../src/providers/scripted/scripted-model.ts';
import { openServer, type Server } from '../../../src/server.ts';
import { atEnd } from '../../support/at-end.ts';
import { putFreshState } from '../../support/fresh-state.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { createHttpClient, type HttpClient, TOKEN } from '../v1/http-client.ts';

export interface OpenAiServer extends HttpClient {
  readonly url: string;
  readonly port: number;
  readonly runtime: Server['runtime'];
  /** What the model was asked, in order. */
  readonly requests: readonly ModelRequest[];
  /** The official client, which does not try again by itself. */
  readonly client: OpenAI;
}

export interface OpenAiServerOptions {
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly tools?: readonly Tool[];
  /** In place of a scripted one. */
  readonly model?: Model;
  /** Awaited before the step begins. */
  readonly gates?: Readonly<Record<number, Promise<void>>>;
}

/** Seconds since 1970 in every answer, for bodies that are compared to the letter. */
export const ANY_TIME = /^1[7-9]\d{8}$/;

/** The whole server with a scripted model in place of every other. */
export async function openOpenAiServer(
  script: ScriptInput,
  options: OpenAiServerOptions = {},
): Promise<OpenAiServer> {
  const temp = await openTempRoot();
  const root = temp.path;
  await putFreshState(root);
  if (options.config) await writeConfig(root, options.config);
  const { gates = {} } = options;
  const scripted = createScriptedModel(script, { gates });
  const model = options.model ?? scripted;
  const server = await openServer({
    root,
    env: { API_BEARER_TOKEN: TOKEN, ...options.env },
    flags: { port: '0', logLevel: 'silent' },
    logger: silentLogger,
    writer: 'inline',
    tools: options.tools ?? [],
    models: {
      get: async () => model,
      describe: async (reference) =>
        reference === undefined
          ? { provider: 'scripted', name: 'test' }
          : parseModelReference(reference),
    },
  });
  atEnd(async () => {
    await server.close();
    await temp.remove();
  });
  const port = Number(new URL(server.url).port);
  return {
    ...createHttpClient(port),
    url: server.url,
    port,
    runtime: server.runtime,
    requests: scripted.requests,
    client: new OpenAI({ apiKey: TOKEN, baseURL: `${server.url}/v1`, maxRetries: 0 }),
  };
}

async function writeConfig(root: string, config: object): Promise<void> {
  await mkdir(`${root}/.openclawssy`, { recursive: true, mode: 0o700 });
  await writeFile(`${root}/.openclawssy/config.json`, JSON.stringify(config), { mode: 0o600 });
}

/** The name in the middle of every id that an answer carries. */
export function nameOf(runId: unknown): string {
  return String(runId).slice('run_'.length);
}

/** The bodies of `data` lines, and the ids, of an event stream. */
export function parseStream(text: string): { id?: number; event?: string; data: unknown }[] {
  return text
    .split('\n\n')
    .filter((block) => /^data: /m.test(block))
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const id = field('id');
      const event = field('event');
      const data = field('data') ?? '';
      return {
        ...(id === undefined ? {} : { id: Number(id) }),
        ...(event === undefined ? {} : { event }),
        data: data === '[DONE]' ? data : (JSON.parse(data) as unknown),
      };
    });
}
