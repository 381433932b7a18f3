import type { NewsEvent } from './event.ts';
import type { FollowRun, TailRequest } from './follow-run.ts';

/** Named, since without a reason an error with its stack is made of each. */
const LEFT = 'left';

/** `follow` for a reader that asks for the next page when it has room for one. */
export async function* tailRun(
  follow: FollowRun,
  request: TailRequest,
): AsyncGenerator<readonly NewsEvent[]> {
  const leaving = new AbortController();
  const leave = () => leaving.abort(LEFT);
  const pages = createHandover<readonly NewsEvent[]>();
  request.signal.addEventListener('abort', leave, { once: true });
  if (request.signal.aborted) leave();
  const following = follow({ ...request, signal: leaving.signal, deliver: pages.give });
  const ended = following.then(
    () => pages.end(),
    (error: unknown) => pages.fail(error),
  );
  try {
    for (let page = await pages.take(); page; page = await pages.take()) yield page;
  } finally {
    request.signal.removeEventListener('abort', leave);
    leave();
    // What was given and not taken, as when the reader left meanwhile, holds up nobody.
    pages.end();
    await ended;
  }
}

/** One thing at a time from one who gives to one who takes. */
function createHandover<Thing>() {
  let given: Thing | undefined;
  let makeRoom = () => {};
  let onChange = () => {};
  let failure: { readonly error: unknown } | undefined;
  let isEnded = false;

  function end(): void {
    isEnded = true;
    makeRoom();
    onChange();
  }

  return {
    /** Resolves when the next one is asked for, or nobody takes any more. */
    give(thing: Thing): Promise<void> {
      if (isEnded) return Promise.resolve();
      given = thing;
      return new Promise((resolve) => {
        makeRoom = resolve;
        onChange();
      });
    },

    end,

    fail(error: unknown): void {
      failure = { error };
      end();
    },

    /** Undefined at the end. */
    async take(): Promise<Thing | undefined> {
      if (given === undefined) makeRoom();
      if (given === undefined && !isEnded) {
        await new Promise<void>((resolve) => {
          onChange = resolve;
        });
      }
      const thing = given;
      given = undefined;
      if (thing === undefined && failure) throw failure.error;
      return thing;
    },
  };
}
