export interface Paced {
  /** Something may have changed. */
  ask(): void;
  stop(): void;
}

/** What was quiet before is shown soon: events that belong together come within this. */
const SOON_MS = 300;
/**
 * Between the end of one reading and the next, while events keep coming. A page reads ten things at a time, and a
 * sign-in may ask for 600 a minute: this leaves half of them to whoever sits in front of it.
 */
const REST_MS = 2_500;

/**
 * Reads soon after it is asked to, and however often it is asked, one reading at a time with a rest in between. A page
 * that nobody looks at reads nothing until somebody does.
 */
export function createPaced(read: () => Promise<unknown>): Paced {
  let isWanted = false;
  let isResting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    if (isWanted && !isResting && !document.hidden) timer ??= setTimeout(run, SOON_MS);
  };
  const run = () => {
    timer = undefined;
    if (document.hidden) return;
    isWanted = false;
    isResting = true;
    // What went wrong is told by whoever read it.
    void read()
      .catch(() => {})
      .then(() => {
        timer = setTimeout(rise, REST_MS);
      });
  };
  const rise = () => {
    timer = undefined;
    isResting = false;
    plan();
  };
  document.addEventListener('visibilitychange', plan);
  return {
    ask() {
      isWanted = true;
      plan();
    },
    stop() {
      isWanted = false;
      // A reading under way ends, and nothing follows it.
      isResting = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', plan);
    },
  };
}
