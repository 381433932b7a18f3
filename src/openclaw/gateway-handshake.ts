import { defined } from '../core/defined.ts';
import type { JsonObject } from '../core/json.ts';
import { ConnectionLost, ConnectionRefused } from './connection-fault.ts';
import type { DeviceIdentity } from './device-identity.ts';
import type { Credentials } from './session.ts';
import { countOf, listOf, objectOf, textOf } from './wire.ts';

/** The version of the gateway's protocol that is spoken here. Operators of it speak exactly one. */
const PROTOCOL = 4;

/** To have agents answer, and to see what they do meanwhile. Nothing of the gateway's own is touched. */
const SCOPES = ['operator.read', 'operator.write'] as const;
const ROLE = 'operator';

/** Ids and modes are a closed list of the gateway's: this is the one of programs that work for others. */
const CLIENT = { id: 'gateway-client', mode: 'backend' } as const;

export interface Challenge {
  readonly nonce: string;
  readonly atMs: number;
}

const MAX_NONCE_CHARS = 512;

export function parseChallenge(payload: JsonObject): Challenge {
  const nonce = textOf(payload['nonce']);
  const atMs = countOf(payload['ts']);
  if (nonce === undefined || nonce.length > MAX_NONCE_CHARS || !Number.isSafeInteger(atMs)) {
    throw new ConnectionLost('challenge_invalid', 'its challenge has no nonce or no time');
  }
  return { nonce, atMs: atMs as number };
}

export interface ConnectParts {
  readonly challenge: Challenge;
  readonly identity: DeviceIdentity;
  readonly credentials: Credentials;
  readonly version: string;
}

/** The first frame: who we are, what we want, and a signature over both that holds for this challenge only. */
export function encodeConnect(parts: ConnectParts): JsonObject {
  const { challenge, identity, credentials, version } = parts;
  const { token, password } = credentials;
  const { platform } = process;
  return {
    minProtocol: PROTOCOL,
    maxProtocol: PROTOCOL,
    client: { ...CLIENT, version, platform, displayName: 'Pincer' },
    role: ROLE,
    scopes: SCOPES,
    // Without it a gateway sends nothing of what its agents do with tools.
    caps: ['tool-events'],
    auth: {
      ...defined({ token, password }),
    },
    device: {
      id: identity.id,
      publicKey: identity.publicKey,
      signature: identity.sign(toSignedText(parts)),
      signedAt: challenge.atMs,
      nonce: challenge.nonce,
    },
  };
}

/** In the third form that gateways know: fields in their order, the platform last, no family of devices. */
function toSignedText({ challenge, identity, credentials }: ConnectParts): string {
  return [
    'v3',
    identity.id,
    CLIENT.id,
    CLIENT.mode,
    ROLE,
    SCOPES.join(','),
    String(challenge.atMs),
    credentials.token ?? '',
    challenge.nonce,
    process.platform.toLowerCase(),
    '',
  ].join('|');
}

export interface Hello {
  readonly version: string | undefined;
  readonly protocol: number;
  readonly scopes: readonly string[];
  readonly deviceToken: string | undefined;
  readonly tickIntervalMs: number;
  readonly maxPayloadBytes: number;
}

const DEFAULT_TICK_MS = 30_000;
const LEAST_TICK_MS = 500;
const MOST_TICK_MS = 120_000;
const MOST_PAYLOAD_BYTES = 26_214_400;

export function parseHello(payload: JsonObject): Hello {
  const protocol = countOf(payload['protocol']);
  if (payload['type'] !== 'hello-ok' || protocol === undefined) {
    throw new ConnectionLost('hello_invalid', 'it answered connect with something else than hello');
  }
  if (protocol !== PROTOCOL) throw refuseProtocol(`it speaks protocol ${protocol}`);
  const auth = objectOf(payload['auth']);
  const scopes = listOf(auth['scopes']).filter((scope) => typeof scope === 'string');
  const missing = SCOPES.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0) {
    throw new ConnectionRefused(
      'scope_missing',
      `the gateway does not grant ${missing.join(' and ')}`,
      'approve this device for them on the gateway (openclaw devices list), then: claw openclaw connect',
    );
  }
  const policy = objectOf(payload['policy']);
  const tickMs = countOf(policy['tickIntervalMs']) ?? DEFAULT_TICK_MS;
  return {
    version: textOf(objectOf(payload['server'])['version']),
    protocol,
    scopes,
    deviceToken: textOf(auth['deviceToken']),
    tickIntervalMs: Math.min(MOST_TICK_MS, Math.max(LEAST_TICK_MS, tickMs)),
    maxPayloadBytes: Math.min(
      MOST_PAYLOAD_BYTES,
      countOf(policy['maxPayload']) ?? MOST_PAYLOAD_BYTES,
    ),
  };
}

/** Why `connect` was not answered with a hello. */
export function toConnectFault(error: JsonObject): ConnectionLost | ConnectionRefused {
  const details = objectOf(error['details']);
  const code = textOf(details['code']) ?? textOf(error['code']) ?? 'UNKNOWN';
  const message = describeError(error);
  if (error['retryable'] === true || code === 'UNAVAILABLE') {
    return new ConnectionLost(code, message, countOf(error['retryAfterMs']));
  }
  if (code.includes('PROTOCOL') || /protocol mismatch/i.test(message))
    return refuseProtocol(message);
  return new ConnectionRefused(code, message, adviseOn(code, details));
}

const MAX_MESSAGE_CHARS = 300;

export function describeError(error: JsonObject): string {
  return (textOf(error['message']) ?? 'it gave no reason').slice(0, MAX_MESSAGE_CHARS);
}

const AGAIN = 'then: claw openclaw connect';

function adviseOn(code: string, details: JsonObject): string {
  if (code === 'PAIRING_REQUIRED' || code === 'NOT_PAIRED') {
    const request = textOf(details['requestId']);
    const which = request !== undefined && /^[\w-]{1,128}$/.test(request) ? request : 'REQUEST_ID';
    return `approve this device on the gateway: openclaw devices approve ${which} (openclaw devices list shows it), ${AGAIN}`;
  }
  if (code.startsWith('AUTH_PASSWORD')) {
    return `set OPENCLAW_GATEWAY_PASSWORD, or the secret openclaw/password, to the gateway's password, ${AGAIN}`;
  }
  if (code.startsWith('AUTH_RATE')) return `wait until the gateway takes attempts again, ${AGAIN}`;
  if (code.startsWith('AUTH_')) {
    return `set OPENCLAW_GATEWAY_TOKEN, or the secret openclaw/token, to the gateway's token, ${AGAIN}`;
  }
  if (code.startsWith('DEVICE_')) {
    return `check that both clocks are right and that nothing between here and the gateway changes what is sent, ${AGAIN}`;
  }
  return `see the log of the gateway, ${AGAIN}`;
}

function refuseProtocol(message: string): ConnectionRefused {
  const action = `use a gateway that speaks protocol ${PROTOCOL}, ${AGAIN}`;
  return new ConnectionRefused('protocol_mismatch', message, action);
}
