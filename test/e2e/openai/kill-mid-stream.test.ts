import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  type BuiltServer,
  killBuiltServers,
  startBuiltServer,
} from '../../support/built-server.ts';
import { openTempRoot, type TempRoot } from '../../support/temp-root.ts';

/** Four starts of the program, and fifty answers on a machine that does other things too. */
const TIMEOUT_MS = 120_000;
const CALLS = 50;
const KILLS = 3;
/** Answers that have begun and are not whole when the server is killed. */
const CUT_AT_ONCE = 15;
const RETRY_MS = 50;
const TOKEN = 'kill-mid-stream';
const WORDS = Array.from({ length: 12 }, (_, index) => `word ${index + 1} of {{message}}. `);

let root: TempRoot | undefined;

afterEach(async () => {
  await killBuiltServers();
  await root?.remove();
  root = undefined;
});

interface Lives {
  url: string;
  server: BuiltServer;
}

async function start(path: string): Promise<Lives> {
  const server = startBuiltServer({
    root: path,
    env: {
      API_BEARER_TOKEN: TOKEN,
      CLAW_MODEL: 'scripted/script.json',
      CLAW_ALLOW_SCRIPTED_MODEL: '1',
    },
  });
  const url = await server.ready;
  if (url === undefined) throw new Error(`the server ended early:\n${server.output()}`);
  return { server, url };
}

async function prepareRoot(): Promise<string> {
  root = await openTempRoot();
  const step = { text: WORDS, deltaDelayMs: 60, usage: { inputTokens: 10, outputTokens: 5 } };
  await writeFile(join(root.path, 'script.json'), JSON.stringify({ steps: [step] }));
  return root.path;
}

/** A program that asks, and comes back to where it was until its answer is whole. */
class Caller {
  readonly name: string;
  text = '';
  runs = new Set<string>();
  isDone = false;
  cuts = 0;
  #lastId: string | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get isInTheMiddle(): boolean {
    return this.text !== '' && !this.isDone;
  }

  async ask(lives: Lives): Promise<void> {
    while (!this.isDone) {
      await this.#read(lives.url).catch(() => {});
      if (this.isDone) return;
      this.cuts += 1;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #read(url: string): Promise<void> {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        'idempotency-key': this.name,
        ...(this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId }),
      },
      body: JSON.stringify({
        model: 'agent/Pincer',
        messages: [{ role: 'user', content: this.name }],
        stream: true,
      }),
    });
    if (!response.ok || response.body === null) return;
    this.runs.add(response.headers.get('x-run-id') ?? '');
    let rest = '';
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = `${rest}${piece}`.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data === undefined) return;
    this.#lastId = /^id: (\d+)$/m.exec(block)?.[1] ?? this.#lastId;
    if (data === '[DONE]') {
      this.isDone = true;
      return;
    }
    const { choices, error } = JSON.parse(data) as {
      choices?: { delta: { content?: string } }[];
      error?: unknown;
    };
    if (error !== undefined) throw new Error(data);
    this.text += choices?.[0]?.delta.content ?? '';
  }
}

async function countAnswers(lives: Lives, runId: string): Promise<number> {
  const response = await fetch(`${lives.url}/v1/runs/${runId}/events`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  return (await response.text()).split('event: model.completed\n').length - 1;
}

test('fifty streams, killed in the middle again and again: each answer is whole and paid once', {
  timeout: TIMEOUT_MS,
}, async () => {
  const path = await prepareRoot();
  const lives = await start(path);
  const callers = Array.from({ length: CALLS }, (_, index) => new Caller(`call-${index + 1}`));
  const asking = Promise.all(callers.map((caller) => caller.ask(lives)));

  let kills = 0;
  for (; kills < KILLS; kills += 1) {
    const isRipe = () => callers.filter((one) => one.isInTheMiddle).length >= CUT_AT_ONCE;
    const isLate = () => callers.filter((one) => !one.isDone).length < CUT_AT_ONCE;
    await expect.poll(() => isRipe() || isLate(), { timeout: 30_000, interval: 5 }).toBe(true);
    if (!isRipe()) break;
    await lives.server.kill();
    Object.assign(lives, await start(path));
  }
  await asking;

  const whole = (name: string) => WORDS.join('').replaceAll('{{message}}', name);
  const runs = callers.flatMap((caller) => [...caller.runs]);
  expect(kills).toBeGreaterThan(0);
  expect(callers.filter(({ cuts }) => cuts > 0).length).toBeGreaterThanOrEqual(CUT_AT_ONCE);
  expect(callers.map(({ text }) => text)).toEqual(callers.map(({ name }) => whole(name)));
  expect(new Set(runs).size).toBe(CALLS);
  const answers = await Promise.all(runs.map((runId) => countAnswers(lives, runId)));
  expect(answers).toEqual(runs.map(() => 1));
  expect(await lives.server.stop()).toBe('code 0');
});
