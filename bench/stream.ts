// A frame on its way to a thousand readers of one run, and 10,000 stored events to one who comes back.
import { randomUUID } from 'node:crypto';
import { type Comparison, compareInBlocks, type Side } from './support/blocks.ts';
import { type FanOut, loadFanOut } from './support/fan-out.ts';
import { encodeRequest, openConnection } from './support/http-connection.ts';
import { readOptions } from './support/options.ts';
import { openPeerStream } from './support/peer-streams.ts';
import { judge, limitRow, printReport, type Row } from './support/report.ts';
import { openRowReader } from './support/row-reader.ts';
import { openScriptServer, openServerProcess } from './support/server-process.ts';
import { median, percentile } from './support/statistics.ts';
import { EVENT_MARK, resumeMs } from './support/stream-resume.ts';
import { openTempDir } from './support/temp-dir.ts';
import {
  encodeStreamRequest,
  OWN_EVENTS,
  openThreadFanOut,
  SECRET,
  seedThreadRun,
} from './support/thread-streams.ts';

const { isQuick, peersDir } = readOptions();
const READERS = isQuick ? 200 : 1_000;
const APPENDS = isQuick ? 10 : 20;
/** The peer takes seconds to reach a thousand readers. */
const PEER_APPENDS = 4;
const PAUSE_MS = 100;
const EVENTS = isQuick ? 2_000 : 10_000;
const rounds = isQuick ? 2 : 4;
const EVENT_TEXT = `${EVENT_MARK}${'The report lists each file that changed, with its reason. '.repeat(3)}`;

const dir = openTempDir();
const seeded = await seedThreadRun(dir.path, EVENTS, EVENT_TEXT);
const server = await openServerProcess({
  root: dir.path,
  // Its model never answers, so that only frames are stored and sent.
  script: [{ hang: true }],
  config: { server: { max_streams: 2 * READERS, max_connections: 4 * READERS } },
  env: { RUNTIME_SIGNATURE_SECRET: SECRET },
});
const bare = await openScriptServer('fan-out-server');
const peerDir = openTempDir();
const peer =
  peersDir === undefined
    ? undefined
    : await openScriptServer('durable-streams-server', [peersDir, peerDir.path]);

interface Timed {
  readonly side: Side;
  /** Of every block but the first. */
  readonly figures: { p50: number[]; p99: number[] };
}

/** More is better to whom compares blocks: how many such waits, one after the other, fit into a second. */
function timedSide(name: string, measureMs: () => Promise<number[]>): Timed {
  const figures = { p50: [] as number[], p99: [] as number[] };
  let isFirst = true;
  const side: Side = {
    name,
    async measure() {
      const latenciesMs = await measureMs();
      const p99 = percentile(latenciesMs, 99);
      if (!isFirst) {
        figures.p50.push(percentile(latenciesMs, 50));
        figures.p99.push(p99);
      }
      isFirst = false;
      return 1000 / p99;
    },
  };
  return { side, figures };
}

function fanOutSide(
  name: string,
  open: () => Promise<FanOut & { close(): void }>,
  appends = APPENDS,
): Timed {
  return timedSide(name, async () => {
    const side = await open();
    try {
      const load = { readers: READERS, appends, pauseMs: PAUSE_MS };
      return await loadFanOut(side, load);
    } finally {
      side.close();
    }
  });
}

async function openBareFanOut(): Promise<FanOut & { close(): void }> {
  const connection = await openConnection(bare.port);
  return {
    port: bare.port,
    streamRequest: () => encodeRequest({ method: 'GET', path: '/' }),
    async append(text) {
      const body = JSON.stringify({ type: 'event', payload: { text } });
      await connection.send(encodeRequest({ method: 'POST', path: '/', body }));
    },
    close: () => connection.close(),
  };
}

const control = fanOutSide('bare node:http fan-out', openBareFanOut);
const ours = fanOutSide('frames on /internal/v1', () => openThreadFanOut(server.port));
const theirs =
  peer &&
  fanOutSide('durable-streams', () => openPeerStream(peer.port, randomUUID()), PEER_APPENDS);
const [fanOut, peerFanOut] = await compareInBlocks(
  control.side,
  [ours.side, ...(theirs ? [theirs.side] : [])],
  rounds,
);

/** A few times per block: one is over before the clock of a busy machine says much. */
const RESUMES = 5;

function resumeSide(name: string, port: number, request: () => Buffer): Timed {
  return timedSide(name, async () => {
    const timesMs: number[] = [];
    for (let time = 0; time < RESUMES; time += 1) {
      timesMs.push(await resumeMs({ port, request: request(), events: EVENTS - OWN_EVENTS }));
    }
    return [median(timesMs)];
  });
}

const rows = openRowReader(dir.path, seeded);
const readRows = timedSide('reading the rows', async () => [rows.readMs(EVENTS)]);
const resume = resumeSide('resume on /internal/v1', server.port, () =>
  encodeStreamRequest(seeded, 'cursor=0'),
);
const peerStream = peer && (await openPeerStream(peer.port, 'stored'));
await peerStream?.fill(EVENTS - OWN_EVENTS, EVENT_TEXT);
const catchUp =
  peerStream && resumeSide('durable-streams', peerStream.port, peerStream.streamRequest);
const [resumed, caughtUp] = await compareInBlocks(
  readRows.side,
  [resume.side, ...(catchUp ? [catchUp.side] : [])],
  rounds,
);
peerStream?.close();
rows.close();
await Promise.all([server.stop(), bare.stop(), peer?.stop()]);
if (!fanOut || !resumed) throw new Error('nothing was compared');

function timesRow(what: string, comparison: Comparison, maxTimes?: number): Row {
  const times = 1 / comparison.ratio;
  return {
    what,
    measured: `${times.toFixed(2)} ×`,
    goal: maxTimes === undefined ? '-' : `≤ ${maxTimes} ×`,
    verdict: judge(comparison.isVoid, maxTimes === undefined ? undefined : times <= maxTimes),
    note:
      `${(1000 / comparison.rate).toFixed(1)} ms against ${(1000 / comparison.controlRate).toFixed(1)} ms of ` +
      `${comparison.control}; ${(1 / comparison.highest).toFixed(2)} to ${(1 / comparison.lowest).toFixed(2)} ×`,
  };
}

const ourResumeMs = median(resume.figures.p99);
printReport({
  bench: 'stream',
  rows: [
    timesRow(`frame to ${READERS} readers, p99 / bare node:http`, fanOut, 1.35),
    limitRow(`frame to ${READERS} readers, p50`, median(ours.figures.p50), {
      unit: 'ms',
      digits: 1,
      note: `bare node:http ${median(control.figures.p50).toFixed(1)} ms`,
    }),
    ...(peerFanOut
      ? [timesRow(`durable-streams to ${READERS} readers, p99 / bare node:http`, peerFanOut)]
      : []),
    limitRow(`resume of ${EVENTS} stored events`, ourResumeMs, {
      unit: 'ms',
      digits: 0,
      max: 150,
      isVoid: resumed.isVoid,
      note: `reading the rows takes ${(1000 / resumed.controlRate).toFixed(0)} ms`,
    }),
    ...(caughtUp && catchUp ? [peerResumeRow(median(catchUp.figures.p99))] : []),
  ],
  figures: {
    fan_out_p99_times_control: 1 / fanOut.ratio,
    fan_out_p50_ms: median(ours.figures.p50),
    fan_out_p99_ms: median(ours.figures.p99),
    fan_out_control_spread: fanOut.controlSpread,
    resume_ms: ourResumeMs,
    resume_control_spread: resumed.controlSpread,
  },
});

function peerResumeRow(peerMs: number): Row {
  const factor = peerMs / ourResumeMs;
  return {
    what: `durable-streams resume of ${EVENTS} events / ours`,
    measured: `${factor.toFixed(1)} ×`,
    goal: '≥ 5 ×',
    verdict: judge(resumed?.isVoid ?? true, factor >= 5),
    note: `${peerMs.toFixed(0)} ms against ${ourResumeMs.toFixed(0)} ms`,
  };
}
