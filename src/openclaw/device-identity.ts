import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto';
import { chmod, readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { RuntimeError } from '../core/errors.ts';
import { createFile } from '../platform/create-file.ts';
import { isMissing } from '../platform/errno-of.ts';
import { FILE_MODE } from '../platform/owner-only.ts';
import { replaceFile } from '../platform/replace-file.ts';

/** Under which a gateway knows this installation: a key pair, and what gateways gave for it. */
export interface DeviceIdentity {
  /** The fingerprint of the public key. */
  readonly id: string;
  /** Its 32 bytes, as gateways expect them. */
  readonly publicKey: string;
  sign(text: string): string;
  findToken(url: string): string | undefined;
  /** A gateway hands it out when it has accepted the device; it stands for the shared token from then on. */
  rememberToken(url: string, token: string): Promise<void>;
}

const MAX_TOKEN_CHARS = 4_096;
const MAX_GATEWAYS = 16;

const storedIdentity = z.object({
  version: z.literal(1),
  private_key: z.string().max(1_024),
  tokens: z.record(z.string().max(2_048), z.string().max(MAX_TOKEN_CHARS)).default({}),
});

type StoredIdentity = z.infer<typeof storedIdentity>;

/** Made at the first use. Processes that race for it end up with the same one. */
export async function openDeviceIdentity(path: string): Promise<DeviceIdentity> {
  let stored = await readIdentity(path);
  if (!stored) {
    await createFile(path, encode(makeIdentity()));
    stored = await readIdentity(path);
  }
  if (!stored) throw unusable(path);
  return toIdentity(path, stored);
}

function toIdentity(path: string, stored: StoredIdentity): DeviceIdentity {
  const privateKey = createPrivateKey({
    key: Buffer.from(stored.private_key, 'base64url'),
    format: 'der',
    type: 'pkcs8',
  });
  // The last 32 bytes of the encoding are the key itself.
  const raw = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32);
  let tokens = stored.tokens;
  return {
    id: createHash('sha256').update(raw).digest('hex'),
    publicKey: raw.toString('base64url'),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64url'),
    findToken: (url) => tokens[url],
    async rememberToken(url, token) {
      if (tokens[url] === token || token.length > MAX_TOKEN_CHARS) return;
      const others = Object.entries(tokens).filter(([known]) => known !== url);
      tokens = Object.fromEntries([...others.slice(1 - MAX_GATEWAYS), [url, token]]);
      await replaceFile(path, encode({ ...stored, tokens }));
    },
  };
}

function makeIdentity(): StoredIdentity {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url');
  return { version: 1, private_key: key, tokens: {} };
}

async function readIdentity(path: string): Promise<StoredIdentity | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
    // Whoever can read it can speak in our name.
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, FILE_MODE);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
  try {
    const stored = storedIdentity.parse(JSON.parse(text));
    toIdentity(path, stored);
    return stored;
  } catch {
    throw unusable(path);
  }
}

function encode(stored: StoredIdentity): string {
  return `${JSON.stringify(stored, null, 2)}\n`;
}

function unusable(path: string): RuntimeError {
  const fix =
    'delete it; the next connection makes a new identity, which the gateway has to approve';
  return new RuntimeError('config_invalid', `${path} holds no device identity; to fix: ${fix}`, {
    details: { file: path, fix },
  });
}
