// Where the time of a durable run of three tool steps goes: per stage how long it takes and how much of the main thread
// it needs, with one client and with many.
import { type HttpLoad, loadHttp } from './support/http-load.ts';
import { openMeasuredServer } from './support/measured-server.ts';
import { readOptions } from './support/options.ts';
import { readThreadCpuMs } from './support/process-usage.ts';
import { limitRow, printReport, type Row, whole } from './support/report.ts';
import { openServerProcess } from './support/server-process.ts';
import { STAGES, type StageName } from './support/stage-clock.ts';
import { median, percentile } from './support/statistics.ts';
import { makeThreeStepRun, THREE_STEPS } from './support/three-step-run.ts';

const { isQuick } = readOptions();
const blockMs = isQuick ? 700 : 3_000;
const rounds = isQuick ? 1 : 3;

async function load(port: number, connections: number): Promise<Pick<HttpLoad, 'latenciesMs'>> {
  const latenciesMs: number[] = [];
  const act = async (connection: Parameters<HttpLoad['act']>[0]) => {
    await makeThreeStepRun(connection);
  };
  await loadHttp({ port, connections, durationMs: blockMs, act, latenciesMs });
  return { latenciesMs };
}

interface Cost {
  readonly mainMs: number;
  readonly allMs: number;
  readonly p50Ms: number;
}

/** Of the program as it is built, without spans: processor time per run, what it does afterwards included. */
async function measureCost(clients: number): Promise<Cost> {
  const server = await openServerProcess({ script: THREE_STEPS });
  const costs: Cost[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const before = readThreadCpuMs(server.pid);
    const { latenciesMs } = await load(server.port, clients);
    await server.awaitQuiet();
    const after = readThreadCpuMs(server.pid);
    // The first round pays for compiling.
    if (round === 0) continue;
    costs.push({
      mainMs: (after.mainMs - before.mainMs) / latenciesMs.length,
      allMs: (after.allMs - before.allMs) / latenciesMs.length,
      p50Ms: percentile(latenciesMs, 50),
    });
  }
  await server.stop();
  return {
    mainMs: median(costs.map(({ mainMs }) => mainMs)),
    allMs: median(costs.map(({ allMs }) => allMs)),
    p50Ms: median(costs.map(({ p50Ms }) => p50Ms)),
  };
}

type Shares = Readonly<Record<StageName, { readonly share: number; readonly p50Ms: number }>>;

/** How the main thread's time divides among the stages. */
async function measureShares(clients: number): Promise<Shares> {
  const server = await openMeasuredServer({ script: THREE_STEPS });
  await load(server.port, clients);
  await server.awaitQuiet();
  await server.take();
  for (let round = 0; round < rounds; round += 1) await load(server.port, clients);
  await server.awaitQuiet();
  const anatomy = await server.take();
  await server.stop();
  const totalMs = STAGES.reduce((sum, stage) => sum + anatomy[stage].busyMs, 0);
  const shares = STAGES.map((stage) => {
    const { busyMs, spansMs } = anatomy[stage];
    return [stage, { share: busyMs / totalMs, p50Ms: percentile(spansMs, 50) }];
  });
  return Object.fromEntries(shares) as Shares;
}

const rows: Row[] = [];
const figures: Record<string, number> = {};
for (const clients of [1, 64]) {
  const cost = await measureCost(clients);
  const shares = await measureShares(clients);
  const who = clients === 1 ? 'one client' : `${whole(clients)} clients`;
  rows.push(
    limitRow(`main thread per run, ${who}`, cost.mainMs, {
      unit: 'ms',
      note: `all threads ${cost.allMs.toFixed(2)} ms; a run takes ${cost.p50Ms.toFixed(2)} ms at the median`,
    }),
  );
  figures[`main_ms_${clients}`] = cost.mainMs;
  figures[`all_ms_${clients}`] = cost.allMs;
  for (const stage of STAGES) {
    const { share, p50Ms } = shares[stage];
    const duration = Number.isNaN(p50Ms) ? '' : `; from begin to end ${p50Ms.toFixed(2)} ms`;
    const note = `${(share * 100).toFixed(0)} % of the main thread${duration}`;
    rows.push(limitRow(`  ${stage}, ${who}`, share * cost.mainMs, { unit: 'ms', note }));
    figures[`${stage}_ms_${clients}`] = share * cost.mainMs;
  }
}
printReport({ bench: 'anatomy', rows, figures });
