/** Lets one waiter through each time it is opened. Opening it while nobody waits is remembered once. */
export interface Gate {
  open(): void;
  wait(): Promise<void>;
}

export function createGate(): Gate {
  let isOpen = false;
  let pass: (() => void) | undefined;
  return {
    open() {
      if (pass) pass();
      else isOpen = true;
      pass = undefined;
    },
    wait() {
      if (isOpen) {
        isOpen = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        pass = resolve;
      });
    },
  };
}
