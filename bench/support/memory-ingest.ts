import { encodeRequest, openConnection } from './http-connection.ts';
import { loadHttp } from './http-load.ts';
import { createCorpus } from './memory-corpus.ts';
import { readCpuSeconds } from './process-usage.ts';
import { openServerProcess, type ServerProcess, TOKEN } from './server-process.ts';
import { openTempDir } from './temp-dir.ts';

/** Memories a second, and what each cost the server: a busy machine disturbs that less. */
export interface IngestRate {
  readonly perSecond: number;
  readonly processorMs: number;
}

/** What the program takes in over HTTP: durable before its answer, found by its words right after it. */
export interface IngestRates {
  /** 500 in a request, one request after the other. */
  readonly batched: IngestRate;
  /** One in a request, from 32 clients. */
  readonly single: IngestRate;
  /** Texts that the local model made vectors of. */
  readonly embedded: number;
  /** How long the first search after a restart took, which makes the index, and of how many memories. */
  readonly firstSearchMs: number;
  readonly stored: number;
}

const BATCH = 500;
const CLIENTS = 32;
/** Each text has a number of its own, so that none is a duplicate. */
const TEXTS = 1_000;

export interface IngestLoad {
  readonly batches: number;
  readonly singleMs: number;
  readonly embeddingMs: number;
}

export async function measureIngest(load: IngestLoad): Promise<IngestRates> {
  const root = openTempDir();
  const takeItem = createItems();
  // Without an embedder at first: how fast texts come in must not depend on how busy it is.
  const plain = await openServerProcess({
    root: root.path,
    config: { memory: { embedding: { provider: 'none' } } },
  });
  const batched = await ingestBatches(plain, load.batches, takeItem);
  const single = await ingestOneByOne(plain, load.singleMs, takeItem);
  await plain.stop('SIGTERM');
  const embedding = await openServerProcess({ root: root.path, config: {} });
  const startedAt = performance.now();
  await ask(embedding, '/api/memory/search?project_id=bench&q=entry1');
  const firstSearchMs = performance.now() - startedAt;
  const { embedded: before, chunks: stored } = await readStats(embedding);
  const from = performance.now();
  await new Promise((resolve) => setTimeout(resolve, load.embeddingMs));
  const { embedded: after } = await readStats(embedding);
  const embedded = ((after - before) * 1_000) / (performance.now() - from);
  await embedding.stop();
  root.remove();
  return { batched, single, embedded, firstSearchMs, stored };
}

type TakeItem = () => { readonly content: string; readonly metadata: object };

function createItems(): TakeItem {
  const { memory } = createCorpus();
  const texts = Array.from({ length: TEXTS }, (_, number) => memory(number).content);
  let taken = 0;
  return () => {
    taken += 1;
    return {
      content: `${texts[taken % TEXTS]} entry${taken}`,
      metadata: { agent_id: 'agent_default', project_id: 'bench', source: 'chat' },
    };
  };
}

async function ingestBatches(
  server: ServerProcess,
  batches: number,
  takeItem: TakeItem,
): Promise<IngestRate> {
  const path = '/api/memory/ingest/batch';
  const requests = Array.from({ length: batches }, () =>
    post(path, { items: Array.from({ length: BATCH }, takeItem) }),
  );
  const connection = await openConnection(server.port);
  const rate = await measureRate(server, async () => {
    for (const request of requests) {
      const { status, body } = await connection.send(request);
      if (status !== 202) throw new Error(`${path} answered ${status}: ${body}`);
    }
    return batches * BATCH;
  });
  connection.close();
  const last = `entry${batches * BATCH}`;
  const found = await ask(server, `/api/memory/search?project_id=bench&q=${last}`);
  if (!found.includes(last)) throw new Error(`${last} was stored and is not found`);
  return rate;
}

function ingestOneByOne(
  server: ServerProcess,
  durationMs: number,
  takeItem: TakeItem,
): Promise<IngestRate> {
  return measureRate(server, async () => {
    const latenciesMs: number[] = [];
    await loadHttp({
      port: server.port,
      connections: CLIENTS,
      durationMs,
      latenciesMs,
      async act(connection) {
        const { status, body } = await connection.send(post('/api/memory/ingest', takeItem()));
        if (status !== 202) throw new Error(`ingest answered ${status}: ${body}`);
      },
    });
    return latenciesMs.length;
  });
}

/** `work` answers with how many memories it stored. */
async function measureRate(
  { pid }: ServerProcess,
  work: () => Promise<number>,
): Promise<IngestRate> {
  const cpuBefore = readCpuSeconds(pid);
  const startedAt = performance.now();
  const count = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const processorMs = ((readCpuSeconds(pid) - cpuBefore) * 1_000) / count;
  return { perSecond: count / seconds, processorMs };
}

async function readStats(server: ServerProcess): Promise<{ embedded: number; chunks: number }> {
  return JSON.parse(await ask(server, '/api/memory/stats')) as { embedded: number; chunks: number };
}

async function ask({ port }: ServerProcess, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`);
  return body;
}

function post(path: string, body: object): Buffer {
  return encodeRequest({ method: 'POST', path, token: TOKEN, body: JSON.stringify(body) });
}
