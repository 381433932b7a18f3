import { takeTurn } from '../take-turn.ts';

/** Lets one waiter through each time it is opened. Opening it while nobody waits is remembered once. */
export interface Gate {
  open(): void;
  /** Takes a turn of the event loop also when the gate is open: whoever waits in a loop holds nobody up. */
  wait(): Promise<void>;
  /** Who waited for other things too goes on by one of those: what opens from here on is for his next wait. */
  leave(): void;
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
        return takeTurn();
      }
      return new Promise((resolve) => {
        pass = resolve;
      });
    },
    leave() {
      pass = undefined;
    },
  };
}
