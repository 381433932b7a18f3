import { RuntimeError } from '../../../core/errors.ts';
import type { SignInAccess } from '../../../operations/sign-ins/sign-ins.ts';
import { askAt } from './ask-runtime.ts';
import type { Open } from './place.ts';

/** Links are good for the server that made them, so there is no other way to one. */
const noServer: Open<SignInAccess> = async () => {
  throw new RuntimeError('conflict', 'no server is running here', {
    details: { hint: 'start one with claw serve; it prints a link to the dashboard too' },
  });
};

export const askSignIns = askAt<SignInAccess, SignInAccess>({ read: noServer, write: noServer });
