import type { WireAnswer } from '../../../operations/client.ts';
import { createHttpClient, type HttpRequest } from './http-client.ts';
import type { ServerLink } from './server-link.ts';

/** For requests that may be repeated: one that got lost in a restart is simply sent again. */
export async function sendAgain(link: ServerLink, request: HttpRequest): Promise<WireAnswer> {
  for (let losses = 0; ; losses += 1) {
    try {
      return await createHttpClient(link.address).send(request);
    } catch (thrown) {
      await link.recover(thrown, losses);
    }
  }
}
