import { expect, test } from 'vitest';
import { toHelperCommands } from './helper-commands.ts';

test.each([
  ['127.0.0.1', 'tailscale funnel 3000', 'http://127.0.0.1:3000'],
  ['localhost', 'tailscale funnel 3000', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'tailscale funnel 3000', 'http://127.0.0.1:3000'],
  ['::', 'tailscale funnel 3000', 'http://127.0.0.1:3000'],
  ['::1', 'tailscale funnel http://[::1]:3000', 'http://[::1]:3000'],
  ['10.0.0.7', 'tailscale funnel http://10.0.0.7:3000', 'http://10.0.0.7:3000'],
])('a server on %s is opened with %s', (host, funnel, url) => {
  expect(toHelperCommands(host, 3000)).toEqual({
    tailscale: ['tailscale up', funnel],
    cloudflare: [`cloudflared tunnel --url ${url}`],
  });
});
