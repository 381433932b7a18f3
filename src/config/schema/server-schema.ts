import { isIP } from 'node:net';
import { z } from 'zod';
import { parseHttpUrl } from './parse-http-url.ts';
import { HOUR_MS, MIB, MINUTE_MS, whole } from './schema-bounds.ts';

/** Sections of the config about the HTTP server. */
const bindAddress = z
  .string()
  .refine(
    (value) => value === 'localhost' || isIP(value) !== 0,
    'must be an IP address or localhost',
  );
const hostName = z
  .string()
  .max(255)
  .regex(/^[^\s/@]+$/, 'must be a host name or host:port, without scheme or path');
const origin = z
  .string()
  .refine(isOrigin, 'must be an origin such as https://example.com, without a path');

export const server = z.strictObject({
  bind_address: bindAddress
    .default('127.0.0.1')
    .describe(
      'Address to listen on. Anything but a loopback address exposes the server to the network.',
    ),
  port: whole(0, 65_535)
    .default(3000)
    .describe('Port to listen on; 0 picks a free one and prints it.'),
  allowed_hosts: z
    .array(hostName)
    .max(100)
    .default([])
    .describe(
      'Further values of the Host header to accept, beside loopback names and the bind address.',
    ),
  allowed_origins: z
    .array(origin)
    .max(100)
    .default([])
    .describe('Origins of web pages that may call the server, beside its own.'),
  max_body_bytes: whole(1024, 64 * MIB)
    .default(MIB)
    .describe('Largest request body; a larger one is refused with 413.'),
  request_timeout_ms: whole(1000, 10 * MINUTE_MS)
    .default(30_000)
    .describe('Time to receive a whole request. Streams are not limited by it.'),
  max_connections: whole(1, 100_000).default(1024).describe('Open connections, streams included.'),
  max_streams: whole(1, 100_000)
    .default(512)
    .describe('Open event streams; one more is refused with 429.'),
  shutdown_notice_ms: whole(0, 10 * MINUTE_MS)
    .default(250)
    .describe(
      'How long a server that was told to stop goes on while /health/ready answers 503, so that work is sent elsewhere. Then runs get engine.shutdown_grace_ms to end.',
    ),
  metrics_public: z.boolean().default(false).describe('Serve /metrics without the bearer token.'),
  trust_proxy: z
    .boolean()
    .default(false)
    .describe(
      'Take the client address from X-Forwarded-For, and from X-Forwarded-Proto whether it came by https. Only behind a proxy that sets them: they decide rate limits, and whether the cookie of the dashboard is kept to https.',
    ),
});

export const api = z.strictObject({
  rate_limit_max: whole(1, 1_000_000)
    .default(600)
    .describe('Requests per window and token; a stream counts once.'),
  rate_limit_window_ms: whole(1000, HOUR_MS).default(MINUTE_MS).describe('Length of that window.'),
  auth_failures_per_minute: whole(1, 10_000)
    .default(20)
    .describe('Failed authentications per client address and minute before 429.'),
  sign_in_idle_days: whole(1, 365)
    .default(30)
    .describe(
      'A browser that is signed in to the dashboard and not used for so long is signed out.',
    ),
  sign_in_max_days: whole(1, 3650)
    .default(90)
    .describe('A browser that is signed in is signed out after so long in any case.'),
});

function isOrigin(value: string): boolean {
  const url = parseHttpUrl(value);
  return url !== undefined && url.origin === value;
}
