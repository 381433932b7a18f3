import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import type { LogFields, Logger } from '../../core/log.ts';
import { createRequestObserver } from './observe-request.ts';

/** As those that embed the runtime may bring: its methods need to know whose they are. */
class OwnLogger implements Logger {
  readonly lines: string[] = [];
  debug = this.info;
  warn = this.info;
  error = this.info;

  info(_fields: LogFields, message: string): void {
    this.lines.push(message);
  }
}

test('a request is logged by a logger whose methods are bound to it', () => {
  const logger = new OwnLogger();
  const raw = Object.assign(new EventEmitter(), { writableFinished: true, statusCode: 200 });
  const metrics = { httpRequest: () => {} };
  const observer = createRequestObserver({ logger, metrics, surfaceOf: () => 'v1' } as never);
  const request = { id: 'req_1', url: '/v1', method: 'GET', routeOptions: {} } as FastifyRequest;

  observer.observe(request, { raw } as unknown as FastifyReply);
  raw.emit('close');

  expect(logger.lines).toEqual(['request']);
});
