import type { CliContext, LocalOptions, LocalRuntime, ReadOnlyStore } from '../program/context.ts';

/** Where the operations of a noun find their part of the core when no server runs. */
export interface Place<Reading, Writing extends Reading> {
  /** For operations that only look: nothing is created. */
  readonly read: Open<Reading>;
  readonly write: Open<Writing>;
}

export type Open<Deps> = (context: CliContext) => Promise<Opened<Deps>>;

interface Opened<Deps> {
  readonly deps: Deps;
  close(): Promise<void>;
}

/** Opens, works, and closes whatever comes of it. */
export async function visiting<Deps, T>(
  context: CliContext,
  open: Open<Deps>,
  work: (deps: Deps) => Promise<T>,
): Promise<T> {
  const { deps, close } = await open(context);
  try {
    return await work(deps);
  } finally {
    await close();
  }
}

/** From the database, of which nothing is changed. The store is undefined when nothing was ever stored. */
export function fromStore<Deps>(
  create: (store: ReadOnlyStore | undefined, context: CliContext) => Deps,
): Open<Deps> {
  return async (context) => {
    const store = await context.parts.openStore(context.root);
    return { deps: create(store, context), close: async () => store?.close() };
  };
}

/** In this process, which creates the state root when there is none and nobody only looks. */
export function fromRuntime<Deps>(
  create: (runtime: LocalRuntime, context: CliContext) => Deps,
  options: Partial<Omit<LocalOptions, 'root'>> = {},
): Open<Deps> {
  return async (context) => {
    const { parts, root, live } = context;
    const runtime = await parts.openLocal({ root, warn: live.warn, ...options });
    return { deps: create(runtime, context), close: () => runtime.close() };
  };
}
