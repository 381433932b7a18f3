import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What stands between a browser and its server, and how it misbehaves. */
export interface Between {
  readonly url: string;
  /** Gathers streams until they are whole, as some proxies do. */
  holdsStreams: boolean;
  /** Answers for a server that is gone. */
  isAlone: boolean;
  /** What the server says it is. */
  version: string | undefined;
  /** The files of the pages are those of another version. */
  hasOtherFiles: boolean;
  /** Nothing comes any more on what is open now, and nobody is told: as after a sleep of the machine. */
  fallSilent(): void;
  /** Whatever is open now ends. */
  cut(): void;
  close(): void;
}

interface Open {
  readonly reply: ServerResponse;
  isSilent: boolean;
}

export async function standBetween(server: string): Promise<Between> {
  const open = new Set<Open>();
  const listener = createServer((asked, reply) => {
    if (between.isAlone) {
      return void reply.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    }
    if (between.hasOtherFiles && asked.url?.startsWith('/dashboard/assets/')) {
      return void reply.writeHead(404).end();
    }
    const entry: Open = { reply, isSilent: false };
    open.add(entry);
    reply.once('close', () => open.delete(entry));
    passOn(asked, entry);
  });

  function passOn(asked: IncomingMessage, entry: Open): void {
    const { reply } = entry;
    const { method, headers, url = '/' } = asked;
    const onward = request(new URL(url, server), { method, headers }, (answer) => {
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true;
      const isSession = url === '/dashboard/session' && between.version !== undefined;
      if ((isStream && between.holdsStreams) || isSession) return void gather(answer, reply);
      reply.writeHead(answer.statusCode ?? 500, answer.headers);
      reply.flushHeaders();
      answer.on('data', (bytes: Buffer) => {
        if (!entry.isSilent) reply.write(bytes);
      });
      answer.on('end', () => {
        if (!entry.isSilent) reply.end();
      });
      answer.on('error', () => reply.destroy());
    });
    onward.on('error', () => reply.destroy());
    reply.on('close', () => onward.destroy());
    asked.pipe(onward);
  }

  async function gather(answer: IncomingMessage, reply: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    try {
      for await (const part of answer) parts.push(part as Buffer);
    } catch {
      return void reply.destroy();
    }
    const { 'content-length': _, ...headers } = answer.headers;
    const text = Buffer.concat(parts).toString();
    const told =
      between.version === undefined
        ? text
        : text.replace(/"version":"[^"]*"/, `"version":"${between.version}"`);
    reply.writeHead(answer.statusCode ?? 500, headers).end(told);
  }

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const between: Between = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    holdsStreams: false,
    isAlone: false,
    version: undefined,
    hasOtherFiles: false,
    fallSilent() {
      for (const entry of open) entry.isSilent = true;
    },
    cut() {
      for (const { reply } of open) reply.destroy();
    },
    close() {
      listener.closeAllConnections();
      listener.close();
    },
  };
  return between;
}
