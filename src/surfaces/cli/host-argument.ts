import { parseError } from './program/errors.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const NAME = new RegExp(`^(?:${LABEL}\\.)+(?:[a-z][a-z0-9-]*[a-z0-9]|xn--[a-z0-9-]+)$`);
const MAX_NAME_CHARS = 253;
const MAX_PORT = 65_535;

/** A host that agents may be let reach: a public name, with a port or without. */
export function parseHost(given: string, command: string): string {
  const [, name = '', port] = /^([^:/]+)(?::(\d{1,5}))?$/.exec(given.trim().toLowerCase()) ?? [];
  const isName = NAME.test(name) && name.length <= MAX_NAME_CHARS && !name.endsWith('.localhost');
  const isPort = port === undefined || (Number(port) > 0 && Number(port) <= MAX_PORT);
  if (isName && isPort) return port === undefined ? name : `${name}:${Number(port)}`;
  throw parseError(`${JSON.stringify(given.slice(0, 100))} is no host that can be allowed`, {
    target: command,
    hint: findHint(given),
  });
}

function findHint(given: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given) || given.includes('/')) {
    return 'name the host alone, as in api.example.com';
  }
  if (/^(localhost|127\.|\[?::1)/i.test(given)) {
    return 'claw config set network.allow_localhosts true lets agents reach this machine';
  }
  if (given.includes('*')) return 'a name stands for all below it: leave the * out';
  return 'as in api.example.com or api.example.com:8443; anything else goes in network.allowed_domains';
}
