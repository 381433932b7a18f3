import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { IndexChange, MemoryIndex } from './memory-index.ts';
import type { MemoryChange, MemoryStore } from './memory-store.ts';

/** Keeps the index of this process up with the store, which other nodes write to as well. */
export interface IndexKeeper {
  /** Works with an index that knows all that was committed before. Opened on first use, and closed when nobody uses it. */
  use<Value>(work: (index: MemoryIndex) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

export interface IndexKeeperDeps {
  readonly store: Pick<MemoryStore, 'head' | 'changes'>;
  readonly openIndex: () => Promise<MemoryIndex>;
  /** With the vectors that belong to them. */
  readonly toIndexChanges: (changes: readonly MemoryChange[]) => Promise<readonly IndexChange[]>;
  /** What vectors are made with now. Those of another model can't be compared: the index begins anew. */
  readonly model: () => string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Unused for so long, it is closed. */
  readonly idleMs: number;
}

const PAGE_SIZE = 500;

/** An index that is open, and how far it has read. */
interface Kept {
  readonly index: MemoryIndex;
  readonly model: string | undefined;
  revision: number;
}

export function createIndexKeeper(deps: IndexKeeperDeps): IndexKeeper {
  const { store, clock } = deps;
  let kept: Kept | undefined;
  let users = 0;
  let isClosed = false;
  let cancelIdle = () => {};
  const inLine = createLine();

  async function drop(): Promise<void> {
    const dropped = kept;
    kept = undefined;
    await dropped?.index.close().catch((err: unknown) => {
      deps.logger.warn({ err }, 'the index of memories did not close well');
    });
  }

  async function catchUp(): Promise<MemoryIndex> {
    assertOpen();
    const head = await store.head();
    // What was removed in between may be forgotten by now.
    if (kept && kept.revision < head.purgedThrough) await drop();
    const model = deps.model();
    if (kept && kept.model !== model) await drop();
    kept ??= { index: await deps.openIndex(), model, revision: 0 };
    const target = kept;
    try {
      // A process that ends does not wait until all is read.
      await fill(deps, target, { through: head.revision, onPage: assertOpen });
    } catch (thrown) {
      // Nobody knows how much of it was taken in.
      await drop();
      throw thrown;
    }
    return target.index;
  }

  function assertOpen(): void {
    if (isClosed) throw new RuntimeError('shutting_down', 'the index of memories is closed');
  }

  function scheduleIdle(): void {
    cancelIdle();
    if (isClosed) return;
    cancelIdle = clock.after(deps.idleMs, () => void inLine(closeIdle));
  }

  async function closeIdle(): Promise<void> {
    if (users === 0) await drop();
  }

  async function attempt<Value>(work: (index: MemoryIndex) => Promise<Value>): Promise<Value> {
    const index = await inLine(catchUp);
    return work(index).catch(async (thrown: unknown) => {
      // It may be broken for good. Whoever was here before may have replaced it already.
      await inLine(async () => {
        if (kept?.index === index) await drop();
      });
      throw thrown;
    });
  }

  return {
    async use(work) {
      users += 1;
      cancelIdle();
      try {
        return await attempt(work).catch((thrown: unknown) => {
          // Its thread died, perhaps under somebody else's work: the store has everything, so it is made anew, once.
          if (hasEnded(thrown)) return attempt(work);
          throw thrown;
        });
      } finally {
        users -= 1;
        if (users === 0) scheduleIdle();
      }
    },
    async close() {
      isClosed = true;
      cancelIdle();
      await inLine(drop);
    },
  };
}

/** The store reads the next page while the index takes one in: whoever searches first waits for all of them. */
async function fill(
  { store, toIndexChanges }: IndexKeeperDeps,
  target: Kept,
  { through, onPage }: { readonly through: number; readonly onPage: () => void },
): Promise<void> {
  const readAfter = async (revision: number) =>
    revision < through ? store.changes(revision, PAGE_SIZE) : [];
  let page = await readAfter(target.revision);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    onPage();
    const [next] = await Promise.all([
      readAfter(last.revision),
      toIndexChanges(page).then((changes) => target.index.apply(changes)),
    ]);
    target.revision = last.revision;
    page = next;
  }
}

/** One after the other: whoever comes meanwhile finds it done, or goes on from there. */
function createLine() {
  let line: Promise<unknown> = Promise.resolve();
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = line.then(work);
    line = turn.catch(() => {});
    return turn;
  };
}

function hasEnded(thrown: unknown): boolean {
  return thrown instanceof RuntimeError && thrown.code === 'storage_unavailable';
}
