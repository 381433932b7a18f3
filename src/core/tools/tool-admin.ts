import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { BreakerStore } from '../reliability/breakers/breaker-store.ts';
import type { CircuitStatus } from '../reliability/breakers/circuit-breaker.ts';
import type { Reliability } from '../reliability/create-reliability.ts';
import type { IdempotencyManager } from '../reliability/idempotency/idempotency-manager.ts';
import type {
  IdempotencyRecord,
  RecordPage,
} from '../reliability/idempotency/idempotency-store.ts';
import { isGuarded, type ReliabilityMode } from '../reliability/reliability-mode.ts';
import type { ReliabilitySettings } from '../reliability/settings.ts';
import type { ShadowReport, ShadowTally } from '../reliability/shadow-tally.ts';
import type { ToolRegistry } from './registry.ts';
import { circuitOf, type Tool } from './tool.ts';
import type { ToolSwitch } from './tool-switch.ts';

/** A tool as an operator sees it. */
export interface ToolState {
  readonly tool: Tool;
  readonly mode: ReliabilityMode;
  /** Whether the mode guards it. */
  readonly isGuarded: boolean;
  readonly settings: ReliabilitySettings;
  readonly circuit: CircuitStatus;
  /** Undefined when it is on. Granting it is another matter. */
  readonly off: ToolSwitch | undefined;
}

/** Without results: they are what tools answered, and not an operator's to read here. */
export type KeyRecord = Omit<IdempotencyRecord, 'result' | 'error'> & {
  readonly hasResult: boolean;
  readonly errorCode: string | undefined;
};

export interface KeyPage {
  readonly tool: Tool;
  readonly records: readonly KeyRecord[];
  /** The stored key to go on after. */
  readonly next: string | undefined;
}

/** What every surface may do with tools. Names may be aliases; one that nobody knows throws `tool_not_found`. */
export interface ToolAdmin {
  /** By name. */
  list(): Promise<readonly ToolState[]>;
  get(name: string): Promise<ToolState>;
  /** Keeps the circuit open until it is reset. */
  openCircuit(name: string): Promise<ToolState>;
  /** Closes the circuit, whatever it was, and forgets what was counted. */
  resetCircuit(name: string): Promise<ToolState>;
  listKeys(
    name: string,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<KeyPage>;
  /** Forgets one key, or all; answers how many. */
  flushKeys(name: string, key?: string): Promise<{ readonly tool: Tool; readonly flushed: number }>;
  /** What the layer would have done, had it not been in the mode `shadow`. */
  report(): ShadowReport & { readonly mode: ReliabilityMode };
}

export interface ToolAdminDeps {
  readonly registry: Pick<ToolRegistry, 'find' | 'list'>;
  readonly reliability: Pick<Reliability, 'breakers' | 'idempotency'>;
  /** Where keys of callers are kept; the same store as the others' where that is a database. */
  readonly callerKeys: Pick<IdempotencyManager, 'list' | 'flush'>;
  /** The one that circuits are shared through; absent when they belong to this process alone. */
  readonly breakerStore?: Pick<BreakerStore, 'list'> | undefined;
  /** Read at every question. */
  readonly mode: () => ReliabilityMode;
  readonly settingsOf: (tool: Tool) => ReliabilitySettings;
  readonly shadow: Pick<ShadowTally, 'report'>;
  readonly findSwitchedOff?: (tool: Tool) => ToolSwitch | undefined;
}

const STORE_PAGE = 500;
/** Circuits are per tool; more than this many keys were not written by us. */
const MAX_STORE_PAGES = 40;

export function createToolAdmin(deps: ToolAdminDeps): ToolAdmin {
  const { registry, reliability, settingsOf } = deps;

  function getTool(name: string): Tool {
    const tool = registry.find(name);
    if (tool) return tool;
    throw new RuntimeError('tool_not_found', `tool ${name} does not exist`);
  }

  const breakerOf = (tool: Tool) =>
    reliability.breakers.of(circuitOf(tool), settingsOf(tool).breaker);

  function describe(tool: Tool, circuit: CircuitStatus): ToolState {
    const mode = deps.mode();
    const guarded = isGuarded(mode, tool.effect);
    const off = deps.findSwitchedOff?.(tool);
    return { tool, mode, isGuarded: guarded, settings: settingsOf(tool), circuit, off };
  }

  async function getState(tool: Tool): Promise<ToolState> {
    const breaker = breakerOf(tool);
    await breaker.refresh();
    return describe(tool, breaker.status());
  }

  return {
    async list() {
      const stored = await listStoredCircuits(deps.breakerStore);
      return Promise.all(
        registry.list().map((tool) => {
          // Most tools were never called: asking the store about each of them would be a query per tool.
          if (stored.has(circuitOf(tool))) return getState(tool);
          const circuit = reliability.breakers.find(circuitOf(tool))?.status() ?? NEVER_USED;
          return describe(tool, circuit);
        }),
      );
    },

    get: async (name) => getState(getTool(name)),

    async openCircuit(name) {
      const tool = getTool(name);
      await breakerOf(tool).forceOpen();
      return describe(tool, breakerOf(tool).status());
    },

    async resetCircuit(name) {
      const tool = getTool(name);
      await breakerOf(tool).reset();
      return describe(tool, breakerOf(tool).status());
    },

    async listKeys(name, page) {
      const tool = getTool(name);
      const records = await listRecords(deps, tool, page);
      const isFull = records.length >= page.limit;
      return {
        tool,
        records: records.map(toKeyRecord),
        next: isFull ? records.at(-1)?.storedKey : undefined,
      };
    },

    async flushKeys(name, key) {
      const tool = getTool(name);
      const flushed = await deps.callerKeys.flush(tool.name, key);
      return { tool, flushed: flushed + (await reliability.idempotency.flush(tool.name, key)) };
    },

    report: () => ({ mode: deps.mode(), ...deps.shadow.report() }),
  };
}

/** Of both stores, each record once, in the order that pages are in. */
async function listRecords(
  { reliability, callerKeys }: ToolAdminDeps,
  tool: Tool,
  page: RecordPage,
): Promise<readonly IdempotencyRecord[]> {
  const [derived, given] = await Promise.all([
    reliability.idempotency.list(tool.name, page),
    callerKeys.list(tool.name, page),
  ]);
  const byKey = new Map([...derived, ...given].map((record) => [record.storedKey, record]));
  return [...byKey.values()]
    .sort((a, b) => (a.storedKey < b.storedKey ? -1 : 1))
    .slice(0, page.limit);
}

const NEVER_USED: CircuitStatus = { status: 'closed', failures: 0, measured: 0, failed: 0 };

async function listStoredCircuits(
  store: Pick<BreakerStore, 'list'> | undefined,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  if (!store) return keys;
  try {
    let after: string | undefined;
    for (let pages = 0; pages < MAX_STORE_PAGES; pages += 1) {
      const page = { limit: STORE_PAGE, ...defined({ after }) };
      const records = await store.list(page);
      for (const { key } of records) keys.add(key);
      after = records.at(-1)?.key;
      if (records.length < STORE_PAGE) break;
    }
  } catch {
    // Without its store a circuit goes on by itself, and so does the list: it shows what this process knows.
  }
  return keys;
}

function toKeyRecord(record: IdempotencyRecord): KeyRecord {
  const { result, error, ...rest } = record;
  return { ...rest, hasResult: result !== undefined, errorCode: error?.code };
}
