import { isLoopback } from './is-loopback.ts';

export interface HelperCommands {
  readonly tailscale: readonly string[];
  readonly cloudflare: readonly string[];
}

/** What opens this server to the world, to be typed as it is. */
export function toHelperCommands(host: string, port: number): HelperCommands {
  const name = toReachableHost(host);
  const url = `http://${name}:${port}`;
  return {
    // A bare port stands for this machine.
    tailscale: ['tailscale up', `tailscale funnel ${name === LOCAL ? port : url}`],
    cloudflare: [`cloudflared tunnel --url ${url}`],
  };
}

const LOCAL = '127.0.0.1';
const EVERYWHERE = ['0.0.0.0', '::'];

function toReachableHost(host: string): string {
  if (host.includes(':') && !EVERYWHERE.includes(host)) return `[${host}]`;
  return isLoopback(host) || EVERYWHERE.includes(host) ? LOCAL : host;
}
