import type { Clock } from '../../../core/clock.ts';
import { RuntimeError } from '../../../core/errors.ts';
import type { AnyInput } from '../../../operations/client.ts';
import type { AnswerOf, InputOf, Wire } from '../../../operations/operation.ts';
import { readStream, type StreamRequest } from '../../../operations/read-stream.ts';
import { createHttpClient } from './http-client.ts';
import type { ServerLink } from './server-link.ts';

interface StreamAgainDeps {
  readonly link: ServerLink;
  readonly clock: Clock;
}

/** Timers of two processes never agree to the millisecond. */
const TIMER_SLACK_MS = 250;

/** A connection that breaks is taken up again after the last that was seen, and nothing comes twice. */
export async function* streamAgain<W extends Wire>(
  { link, clock }: StreamAgainDeps,
  request: StreamRequest<W>,
): AsyncGenerator<readonly AnswerOf<W>[]> {
  const { signal, operation } = request;
  const given: AnyInput = request.input as AnyInput;
  const { headers, query } = given;
  const idleMs = Number(query?.['tail_ms']);
  let place = Number(headers?.['last-event-id'] ?? 0);
  for (let losses = 0; !signal.aborted; losses += 1) {
    let quietSinceMs = clock.nowMs();
    let loss: unknown = new RuntimeError('shutting_down', 'the server closed the stream');
    try {
      const input = { ...given, headers: { ...headers, 'last-event-id': place } };
      const { open } = createHttpClient(link.address);
      const { isTrusted } = link;
      const pages = readStream(open, { ...request, input: input as InputOf<W>, isTrusted });
      for await (const { page, isLast } of pages) {
        losses = 0;
        const seen = place;
        const news = page.filter((one) => operation.placeOf(one) > seen);
        const last = news.at(-1);
        if (last !== undefined) place = operation.placeOf(last);
        if (news.length > 0) yield news;
        if (isLast) return;
        quietSinceMs = clock.nowMs();
      }
      // The server closes a stream that was quiet for as long as it was asked to wait.
      if (clock.nowMs() - quietSinceMs >= idleMs - TIMER_SLACK_MS) return;
    } catch (thrown) {
      if (signal.aborted) return;
      loss = thrown;
    }
    await link.recover(loss, losses, signal);
  }
}
