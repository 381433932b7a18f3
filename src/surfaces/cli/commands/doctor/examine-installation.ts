import { type RuntimeError, toRuntimeError } from '../../../../core/errors.ts';
import { listMcpServers } from '../../../../operations/mcp/mcp.ts';
import { asking } from '../../ask/ask-runtime.ts';
import { toPlainText } from '../../print/plain-text.ts';
import type { CliContext } from '../../program/context.ts';
import type { Diagnosis, Settings, StoreState } from './diagnosis.ts';
import {
  checkDisk,
  checkModel,
  checkNode,
  checkRecords,
  checkStateRoot,
  checkStore,
  checkWorkspace,
  type Finding,
  type Verdict,
} from './doctor-checks.ts';
import { checkClock, findNewestMs } from './doctor-clock-check.ts';
import { checkKeys, checkPermissions, checkSecrets, checkToken } from './doctor-private-checks.ts';
import { checkPort, checkServer } from './doctor-server-checks.ts';
import { checkMcpServers, checkSandbox } from './doctor-tool-checks.ts';

/** Makes one check after the other. What depends on one that failed is left out: it would fail for the same reason. */
export async function examineInstallation(context: CliContext): Promise<Finding[]> {
  const { root, live, parts } = context;
  const diagnosis = await parts.diagnose(root);
  const examination = new Examination((name) => live.progress(`checking ${name} …`));
  const { check } = examination;
  await check('node', () => checkNode(process.versions.node));
  await check('state_root', () => checkStateRoot(root, diagnosis.paths.stateDir));
  await check('disk', () => checkDisk(root));
  const settings = await examination.load('config', 'the configuration is valid', () =>
    diagnosis.loadSettings(),
  );
  if (settings === undefined) return examination.findings;
  await check('workspace', () => checkWorkspace(settings.workspaceDir));
  await check('permissions', () => checkPermissions(settings.files));
  await check('token', () => checkToken(settings, diagnosis.paths.tokenFile));
  await check('server', () => checkServer(context));
  await check('port', () => checkPort(context, settings));
  await examineStores(context, { diagnosis, settings, examination });
  await examineTools(context, { diagnosis, settings, examination });
  return examination.findings;
}

interface Ground {
  readonly diagnosis: Diagnosis;
  readonly settings: Settings;
  readonly examination: Examination;
}

async function examineStores({ clock }: CliContext, ground: Ground): Promise<void> {
  const { diagnosis, settings, examination } = ground;
  const { check } = examination;
  let store: StoreState | undefined;
  await check('database', async () => {
    store = await diagnosis.checkStore();
    return checkStore(store);
  });
  const state = store?.state;
  if (state === 'ready' || state === 'absent') {
    await check('records', async () => checkRecords(await diagnosis.countLosses(state)));
  }
  await check('clock', async () =>
    checkClock({
      nowMs: clock.nowMs(),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      newestFileMs: await findNewestMs(settings.files),
      databaseAheadMs: store?.clockAheadMs,
    }),
  );
  if (!settings.hasRedis) return;
  await check('redis', async () => {
    await diagnosis.pingRedis();
    return { status: 'ok', summary: 'REDIS_URL answers' };
  });
}

async function examineTools(context: CliContext, ground: Ground): Promise<void> {
  const { diagnosis, settings, examination } = ground;
  const { check } = examination;
  const { sandbox } = settings;
  if (sandbox !== undefined) {
    await check('sandbox', async () => checkSandbox(sandbox, await diagnosis.probeSandbox()));
  }
  const isReadable = await check('secrets', async () =>
    checkSecrets(await diagnosis.checkSecrets()),
  );
  if (!isReadable) return;
  await check('keys', async () => checkKeys(await diagnosis.listProviderKeys()));
  await check('model', () => checkModel(diagnosis));
  if (settings.hasMcpServers) {
    await examination.checkMany('mcp', () => examineMcp(context, diagnosis));
  }
}

/** What the running server found; else what is found now. */
async function examineMcp(context: CliContext, diagnosis: Diagnosis): Promise<Finding[]> {
  const mcp = { status: () => diagnosis.tryMcpServers() };
  const open = async () => ({ deps: { mcp }, close: async () => {} });
  return asking(context, open, async (ask, via) => {
    const { servers } = await ask(listMcpServers, {});
    return checkMcpServers(servers, { comparesTools: via === 'server' });
  });
}

class Examination {
  readonly findings: Finding[] = [];
  readonly #announce: (name: string) => void;

  constructor(announce: (name: string) => void) {
    this.#announce = announce;
  }

  /** False when it failed. */
  check = async (name: string, run: () => Verdict | Promise<Verdict>): Promise<boolean> => {
    await this.checkMany(name, async () => [{ name, ...(await run()) }]);
    return this.findings.at(-1)?.status !== 'fail';
  };

  async checkMany(name: string, run: () => Promise<readonly Finding[]>): Promise<void> {
    this.#announce(name);
    try {
      this.findings.push(...(await run()));
    } catch (thrown) {
      this.findings.push({ name, ...toVerdict(thrown) });
    }
  }

  /** What is checked by being read. */
  async load<T>(name: string, summary: string, read: () => Promise<T>): Promise<T | undefined> {
    let loaded: T | undefined;
    await this.check(name, async () => {
      loaded = await read();
      return { status: 'ok', summary };
    });
    return loaded;
  }
}

const LAST_RESORT = 'correct what the summary names; docs/operations.md says more';

/** A check that could not be made is a failed one. */
function toVerdict(thrown: unknown): Verdict {
  const error = toRuntimeError(thrown);
  const cause =
    error.code === 'internal' && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const { problem, fix } = separateFix(error);
  return { status: 'fail', summary: toPlainText(`${problem}${cause}`), fix: toPlainText(fix) };
}

/** Messages for people without a doctor name the fix too: `openai needs a key: set OPENAI_API_KEY`. */
function separateFix({ code, message, details }: RuntimeError): {
  readonly problem: string;
  readonly fix: string;
} {
  const fix = details?.['fix'] ?? details?.['hint'];
  if (typeof fix === 'string') return { problem: message.replace(`; to fix: ${fix}`, ''), fix };
  const [, problem, advice] = /^(.+?): (set .+)$/.exec(message) ?? [];
  if (code === 'provider_misconfigured' && problem !== undefined && advice !== undefined) {
    return { problem, fix: advice };
  }
  return { problem: message, fix: LAST_RESORT };
}
