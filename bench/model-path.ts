// What a model says on its way to the reader: the first token, and a hundred fast answers at once, against a bare proxy.
import { compareSides, measureInBlocks, type Side } from './support/blocks.ts';
import { encodeRequest, openConnection } from './support/http-connection.ts';
import { readOptions } from './support/options.ts';
import { judge, limitRow, printReport, type Row, whole } from './support/report.ts';
import { openScriptServer, openServerProcess, TOKEN } from './support/server-process.ts';
import { median, percentile } from './support/statistics.ts';
import { readTokens, type TokenLags } from './support/token-reader.ts';
import { encodePace, type Pace } from './support/token-stamps.ts';

const { isQuick } = readOptions();
const rounds = isQuick ? 1 : 4;
const FIRST_TOKENS = isQuick ? 8 : 20;
const RUNS = isQuick ? 20 : 100;
const TOKENS_PER_SECOND = 1_000;
/** The second token comes late enough to show whether the first one waited for it. */
const FIRST: Pace = { tokens: 2, perSecond: 20, delayMs: 60, stampEvery: 1 };
const STEADY: Pace = {
  tokens: TOKENS_PER_SECOND * (isQuick ? 1 : 4),
  perSecond: TOKENS_PER_SECOND,
  delayMs: 500,
  stampEvery: 50,
};

const MODEL = 'openai-compatible/paced';
const provider = await openScriptServer('model-server');
const providerUrl = `http://127.0.0.1:${provider.port}`;
const proxy = await openScriptServer('proxy-server', [providerUrl]);
const server = await openServerProcess({
  config: { engine: { max_concurrent_runs: RUNS, max_queued_runs: 10 * RUNS } },
  env: { CLAW_MODEL: MODEL, OPENAI_COMPAT_BASE_URL: `${providerUrl}/v1` },
});

type Ask = (pace: Pace) => Promise<TokenLags>;

/** A conversation with `/v1/chat/completions`, of the proxy or of ours. */
function askChat(port: number): Ask {
  return (pace) => {
    const messages = [{ role: 'user', content: encodePace(pace) }];
    const body = JSON.stringify({ model: MODEL, stream: true, messages });
    const path = '/v1/chat/completions';
    return readTokens(port, encodeRequest({ method: 'POST', path, token: TOKEN, body }));
  };
}

/** A run, and the stream of its events. */
async function askRun(pace: Pace): Promise<TokenLags> {
  const connection = await openConnection(server.port);
  const body = JSON.stringify({ agent_id: 'agent_default', message: encodePace(pace) });
  const post = encodeRequest({ method: 'POST', path: '/v1/runs', token: TOKEN, body });
  const accepted = await connection.send(post);
  connection.close();
  const { id } = JSON.parse(accepted.body) as { id: string };
  const path = `/v1/runs/${id}/events`;
  return readTokens(server.port, encodeRequest({ method: 'GET', path, token: TOKEN }));
}

interface TokenSide extends Side {
  /** Of every block but the first. */
  readonly p50Ms: number[];
  readonly p99Ms: number[];
}

function createSide(name: string, measureLagsMs: () => Promise<readonly number[]>): TokenSide {
  const p50Ms: number[] = [];
  const p99Ms: number[] = [];
  let isFirst = true;
  return {
    name,
    p50Ms,
    p99Ms,
    async measure() {
      const lagsMs = await measureLagsMs();
      if (!isFirst) {
        p50Ms.push(percentile(lagsMs, 50));
        p99Ms.push(percentile(lagsMs, 99));
      }
      isFirst = false;
      await server.awaitQuiet();
      return 1000 / percentile(lagsMs, 50);
    },
  };
}

function firstSide(name: string, ask: Ask): TokenSide {
  return createSide(name, async () => {
    const lagsMs: number[] = [];
    for (let time = 0; time < FIRST_TOKENS; time += 1) {
      const [lagMs = Number.NaN] = (await ask(FIRST)).lagsMs;
      lagsMs.push(lagMs);
    }
    return lagsMs;
  });
}

/** How many tokens are stamped, and so must arrive. */
const STAMPS = Math.ceil(STEADY.tokens / STEADY.stampEvery) + 1;

/** The lag of the last tokens of all answers at once; those of their first second are kept beside. */
function steadySide(name: string, ask: Ask, earlyMs: number[]): TokenSide {
  return createSide(name, async () => {
    const read = await Promise.all(Array.from({ length: RUNS }, () => ask(STEADY)));
    for (const { lagsMs } of read) {
      if (lagsMs.length !== STAMPS)
        throw new Error(`${name}: ${lagsMs.length} of ${STAMPS} stamps arrived`);
    }
    const perSecond = Math.floor(TOKENS_PER_SECOND / STEADY.stampEvery);
    earlyMs.push(median(read.map(({ lagsMs }) => lagsMs[perSecond - 1] ?? Number.NaN)));
    return read.map(({ lagsMs }) => lagsMs.at(-1) ?? Number.NaN);
  });
}

const bareFirst = firstSide('bare proxy', askChat(proxy.port));
const chatFirst = firstSide('/v1/chat/completions', askChat(server.port));
const runFirst = firstSide('/v1/runs/:id/events', askRun);
const first = await measureInBlocks([bareFirst, chatFirst, runFirst], rounds);

const bareEarlyMs: number[] = [];
const chatEarlyMs: number[] = [];
const runEarlyMs: number[] = [];
const bareSteady = steadySide('bare proxy', askChat(proxy.port), bareEarlyMs);
const chatSteady = steadySide('/v1/chat/completions', askChat(server.port), chatEarlyMs);
const runSteady = steadySide('/v1/runs/:id/events', askRun, runEarlyMs);
await measureInBlocks([bareSteady, chatSteady, runSteady], rounds);
await Promise.all([server.stop(), proxy.stop(), provider.stop()]);

const MAX_FIRST_MS = 5;

function firstRows(side: TokenSide): Row[] {
  const { isVoid } = compareSides(first, side, bareFirst);
  const limit = { unit: 'ms', max: MAX_FIRST_MS, isVoid };
  const bare = (figures: readonly number[]) => `bare proxy ${median(figures).toFixed(2)} ms`;
  const what = `first token to the reader of ${side.name}`;
  return [
    limitRow(`${what}, p50`, median(side.p50Ms), { ...limit, note: bare(bareFirst.p50Ms) }),
    limitRow(`${what}, p99`, median(side.p99Ms), { ...limit, note: bare(bareFirst.p99Ms) }),
  ];
}

/** Gathered for 50 ms on its way into the log, and a moment for the log and the reader. */
const MAX_LAG_MS = 150;

/** The proxy keeps nothing and gathers nothing, so that its lag is no measure of ours; it shows that the load holds. */
function steadyRow(side: TokenSide, earlyMs: readonly number[]): Row {
  const p99Ms = median(side.p99Ms);
  return {
    what: `${RUNS} × ${whole(TOKENS_PER_SECOND)} tokens/s, ${side.name}, last token, p99`,
    measured: `${p99Ms.toFixed(0)} ms`,
    goal: `≤ ${MAX_LAG_MS} ms`,
    verdict: judge(median(bareSteady.p99Ms) > MAX_LAG_MS, p99Ms <= MAX_LAG_MS),
    note:
      `p50 ${median(side.p50Ms).toFixed(0)} ms, after the first second ${median(earlyMs).toFixed(0)} ms; ` +
      `bare proxy p99 ${median(bareSteady.p99Ms).toFixed(0)} ms`,
  };
}

printReport({
  bench: 'model-path',
  rows: [
    ...firstRows(chatFirst),
    ...firstRows(runFirst),
    steadyRow(chatSteady, chatEarlyMs),
    steadyRow(runSteady, runEarlyMs),
  ],
  figures: {
    first_token_chat_p50_ms: median(chatFirst.p50Ms),
    first_token_chat_p99_ms: median(chatFirst.p99Ms),
    first_token_events_p50_ms: median(runFirst.p50Ms),
    first_token_events_p99_ms: median(runFirst.p99Ms),
    first_token_proxy_p50_ms: median(bareFirst.p50Ms),
    steady_chat_p99_ms: median(chatSteady.p99Ms),
    steady_events_p99_ms: median(runSteady.p99Ms),
    steady_proxy_p99_ms: median(bareSteady.p99Ms),
  },
});
