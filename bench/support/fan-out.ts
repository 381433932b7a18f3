import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Something that sends whatever is appended to all who listen. */
export interface FanOut {
  readonly port: number;
  /** One request for a stream; each has its own, since some are signed. */
  streamRequest(): Promise<Buffer> | Buffer;
  /** Resolves when the text is accepted. */
  append(text: string): Promise<void>;
}

export interface FanOutLoad {
  readonly readers: number;
  readonly appends: number;
  /** Between the last reader's receipt and the next append: how fast a frame gets to all, not how many fit. */
  readonly pauseMs: number;
}

const MARK = '#';
const MARK_DIGITS = 7;
const TEXT =
  'The report lists each file that changed, with the reason and the test that shows it. ';
const CONNECTS_AT_ONCE = 50;
const RECEIVE_TIMEOUT_MS = 30_000;

/** Appends one by one to a stream that many read. Answers the milliseconds from append to receipt, for every reader. */
export async function loadFanOut(side: FanOut, load: FanOutLoad): Promise<number[]> {
  const latenciesMs: number[] = [];
  const round = { mark: '', sentAt: 0, received: 0, onAll: () => {} };
  const onMark = (mark: string, now: number) => {
    if (mark !== round.mark) return;
    latenciesMs.push(now - round.sentAt);
    round.received += 1;
    if (round.received === load.readers) round.onAll();
  };
  const sockets = await openReaders(side, load.readers, onMark);
  try {
    for (let append = 1; append <= load.appends; append += 1) {
      const all = new Promise<void>((resolve) => {
        round.onAll = resolve;
      });
      round.received = 0;
      round.mark = String(append).padStart(MARK_DIGITS, '0');
      round.sentAt = performance.now();
      await side.append(`${MARK}${round.mark}${MARK}${TEXT.repeat(2)}`);
      await withTimeout(
        all,
        () => `${round.received} of ${load.readers} readers got append ${append}`,
      );
      await sleep(load.pauseMs);
    }
    return latenciesMs;
  } finally {
    for (const socket of sockets) socket.destroy();
    // The server's side of a thousand closed connections is nobody else's time.
    await sleep(load.pauseMs);
  }
}

async function openReaders(
  side: FanOut,
  count: number,
  onMark: (mark: string, now: number) => void,
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Math.min(CONNECTS_AT_ONCE, count - sockets.length);
    sockets.push(
      ...(await Promise.all(Array.from({ length: batch }, () => openReader(side, onMark)))),
    );
  }
  return sockets;
}

/** Resolves with the first bytes of the answer, which every measured server sends at once. */
async function openReader(
  side: FanOut,
  onMark: (mark: string, now: number) => void,
): Promise<Socket> {
  const request = await side.streamRequest();
  return new Promise((resolve, reject) => {
    const socket = connect({ port: side.port, host: '127.0.0.1', noDelay: true });
    let carried = '';
    let isOpen = false;
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      const now = performance.now();
      const text = carried + chunk.toString('latin1');
      if (!isOpen && !text.startsWith('HTTP/1.1 200')) return reject(new Error(text.slice(0, 500)));
      isOpen = true;
      resolve(socket);
      const end = MARK_DIGITS + 2;
      let at = text.indexOf(MARK);
      while (at !== -1 && at + end <= text.length) {
        onMark(text.slice(at + 1, at + 1 + MARK_DIGITS), now);
        at = text.indexOf(MARK, at + end);
      }
      carried = at === -1 ? '' : text.slice(at);
    });
    socket.write(request);
  });
}

async function withTimeout(work: Promise<void>, describe: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(describe())), RECEIVE_TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
