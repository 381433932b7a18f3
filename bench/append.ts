// Durable append through our store, against what SQLite and the disk can do at all.
import { type AppendTarget, loadAppends } from './support/append-load.ts';
import { type Comparison, compareInBlocks, type Side } from './support/blocks.ts';
import { openDurableStreams } from './support/durable-streams.ts';
import { openPlainFile, openRawSqlite } from './support/group-commit.ts';
import { readOptions } from './support/options.ts';
import { openPincerStore } from './support/pincer-store.ts';
import { judge, limitRow, printReport, type Row, ratioRow, whole } from './support/report.ts';
import { median, percentile } from './support/statistics.ts';

const { isQuick, peersDir } = readOptions();
const blockMs = isQuick ? 150 : 500;
const rounds = isQuick ? 2 : 6;

interface Measured extends Side {
  readonly latenciesMs: number[];
  readonly stallsMs: number[];
}

function createSide(
  name: string,
  writers: number,
  open: (dir: string) => Promise<AppendTarget>,
): Measured {
  const latenciesMs: number[] = [];
  const stallsMs: number[] = [];
  const load = { open, writers, durationMs: blockMs, latenciesMs, stallsMs };
  return { name, latenciesMs, stallsMs, measure: () => loadAppends(load) };
}

async function measureAt(writers: number) {
  const raw = createSide('raw SQLite', writers, openRawSqlite);
  const file = createSide('file and fdatasync', writers, openPlainFile);
  const open = (writer: 'thread' | 'inline', isSealing: boolean) => (dir: string) =>
    openPincerStore({ writer, isSealing }, dir);
  const thread = createSide('store, writer thread', writers, open('thread', false));
  const inline = createSide('store, inline writer', writers, open('inline', false));
  const sealing = createSide('store, thread, and sealing', writers, open('thread', true));
  const peer =
    peersDir === undefined
      ? undefined
      : createSide('durable-streams', writers, (dir) => openDurableStreams(peersDir, dir));
  const sides = [thread, inline, sealing, file, ...(peer ? [peer] : [])];
  const comparisons = await compareInBlocks(raw, sides, rounds);
  return { raw, thread, inline, comparisons };
}

function rowsOf(writers: number, measured: Awaited<ReturnType<typeof measureAt>>): Row[] {
  const { raw, thread, inline, comparisons } = measured;
  const [ours, inlineWriter, sealing, file, peer] = comparisons as [
    Comparison,
    Comparison,
    Comparison,
    Comparison,
    Comparison | undefined,
  ];
  const p99 = (side: Measured) => percentile(side.latenciesMs, 99);
  const limits = writers === 32 ? { latency: { max: 5 }, stall: { max: 3 } } : {};
  const { isVoid } = ours;
  return [
    ratioRow(`store (thread) / raw SQLite, ${writers} writers`, ours, 0.7),
    ratioRow(`store (inline) / raw SQLite, ${writers} writers`, inlineWriter),
    ratioRow(`store (thread) with sealing / raw SQLite, ${writers} writers`, sealing),
    ratioRow(`file and fdatasync / raw SQLite, ${writers} writers`, file),
    ...(peer ? [peerRow(writers, ours, peer)] : []),
    limitRow(`append latency p99, ${writers} writers`, p99(thread), {
      unit: 'ms',
      isVoid,
      ...limits.latency,
      note: `p50 ${percentile(thread.latenciesMs, 50).toFixed(2)} ms; inline p99 ${p99(inline).toFixed(2)}, raw p99 ${p99(raw).toFixed(2)}`,
    }),
    limitRow(`main-loop stall p99, ${writers} writers`, median(thread.stallsMs), {
      unit: 'ms',
      isVoid,
      ...limits.stall,
      note: `inline ${median(inline.stallsMs).toFixed(2)}, raw ${median(raw.stallsMs).toFixed(2)}`,
    }),
  ];
}

function peerRow(writers: number, ours: Comparison, peer: Comparison): Row {
  const factor = ours.rate / peer.rate;
  return {
    what: `store (thread) / durable-streams file store, ${writers} writers`,
    measured: `${factor.toFixed(1)} ×`,
    goal: '≥ 15 ×',
    verdict: judge(ours.isVoid, factor >= 15),
    note: `${whole(ours.rate)}/s against ${whole(peer.rate)}/s`,
  };
}

const at32 = await measureAt(32);
const at256 = await measureAt(256);
printReport({
  bench: 'append',
  rows: [...rowsOf(32, at32), ...rowsOf(256, at256)],
  figures: {
    ratio_32: at32.comparisons[0]?.ratio ?? Number.NaN,
    ratio_256: at256.comparisons[0]?.ratio ?? Number.NaN,
    p99_ms_32: percentile(at32.thread.latenciesMs, 99),
    stall_p99_ms_32: median(at32.thread.stallsMs),
    control_spread_32: at32.comparisons[0]?.controlSpread ?? Number.NaN,
    control_spread_256: at256.comparisons[0]?.controlSpread ?? Number.NaN,
  },
});
