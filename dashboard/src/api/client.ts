import { createClient } from '../../../src/operations/client.ts';
import { send } from './send.ts';
import { session } from './session-state.ts';

/** A server of the version that these pages were built for needs no checking of what it answers. */
export const isSameVersion = () => session.get().serverVersion === __PINCER_VERSION__;

export const client = createClient(send, isSameVersion);
