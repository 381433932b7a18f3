import type { IncomingMessage } from 'node:http';

/**
 * Reads a refused body to its end and throws it away. Closing while the caller still sends would reset the
 * connection, and the caller would see that reset instead of our answer. True when the end was reached.
 */
export function drainBody(
  request: IncomingMessage,
  bounds: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<boolean> {
  if (request.readableEnded) return Promise.resolve(true);
  return new Promise((resolve) => {
    let bytes = 0;
    const settle = (reachedEnd: boolean) => {
      clearTimeout(timer);
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      resolve(reachedEnd);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bounds.maxBytes) settle(false);
    };
    const onEnd = () => settle(true);
    const onClose = () => settle(false);
    const timer = setTimeout(() => settle(false), bounds.timeoutMs);
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onClose);
    request.resume();
  });
}
