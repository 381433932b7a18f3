import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Clock } from '../../src/core/clock.ts';
import { createIds } from '../../src/core/create-ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { ImportOptions } from '../../src/core/parcels/import-report.ts';
import { createParcels, type Parcels } from '../../src/core/parcels/parcels.ts';
import { createCapabilities } from '../../src/core/policy/capabilities.ts';
import type { Redactor } from '../../src/core/redact/redact.ts';
import type { SigningKey } from '../../src/core/secrets/signing-key.ts';
import type { SkillKeys } from '../../src/core/skills/release-signature.ts';
import { createSkills, type Skills } from '../../src/core/skills/skills.ts';
import type { Storage } from '../../src/core/storage.ts';
import { parseModelReference } from '../../src/providers/model-reference.ts';
import { packEntries } from '../../src/storage/parcels/pack-entries.ts';
import { receiveParcel } from '../../src/storage/parcels/receive-parcel.ts';

export interface ParcelRigOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly redactor?: Redactor;
  /** What the configuration grants to everybody. */
  readonly granted?: readonly string[];
  readonly key?: SigningKey;
  readonly trusted?: readonly string[];
  readonly needsMemoryApproval?: boolean;
  readonly maxJobs?: number;
}

export interface ParcelRig {
  readonly parcels: Parcels;
  readonly skills: Skills;
}

const plainRedactor: Redactor = {
  redact: (value) => ({ value, paths: [] }),
  redactText: (text) => text,
};

/** The head of a private ed25519 key in PKCS #8; its seed follows. */
const PKCS8_HEAD = '302e020100300506032b657004220420';

/** The same key for the same word: what is signed with it reads the same in every run of a test. */
export function makeKey(word: string): SigningKey {
  const seed = Buffer.alloc(32, word);
  const der = Buffer.concat([Buffer.from(PKCS8_HEAD, 'hex'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    publicKey: spki.subarray(-32).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}

export const HOME_KEY = makeKey('home');

/** Exports and imports on a store, with everything real but the models. */
export function openParcelRig(options: ParcelRigOptions): ParcelRig {
  const { storage, clock, key = HOME_KEY } = options;
  const { redactor = plainRedactor, granted = ['fs.*'], trusted = [], maxJobs = 100 } = options;
  const keys: SkillKeys = {
    getOwn: async () => key,
    findOwn: async () => key,
    trusted: () => trusted,
  };
  const skills = createSkills({
    ...{ store: storage.skills, keys, clock, logger: silentLogger },
    settings: () => ({ isEnabled: true, maxInPrompt: 10 }),
  });
  const { releases } = skills;
  const { agents, imports } = storage;
  const parcels = createParcels({
    agents,
    readSoul: async (agent) => agent,
    container: { pack: packEntries, receive: receiveParcel },
    writing: { ...storage, releases, redactor, getKey: () => keys.getOwn() },
    taking: {
      ...{ agents, imports, keys, releases, redactor, store: storage },
      ids: createIds(() => clock.nowMs()),
      models: { describe: async (model) => parseModelReference(model ?? 'offline/rules') },
      capabilities: createCapabilities(storage.capabilities, () => granted, clock),
      registry: { find: () => undefined },
      needsMemoryApproval: () => options.needsMemoryApproval === true,
      jobBounds: () => ({ maxJobs }),
      onImported: async () => {},
    },
  });
  return { parcels, skills };
}

/** An operator who has said nothing but that it shall be done. */
export const PLAIN_IMPORT: ImportOptions = {
  isPreview: false,
  trusted: [],
  granted: [],
  withoutGrants: false,
  approvesPins: false,
  isMemoryApproved: false,
};

export async function exportBytes(
  { parcels }: Pick<ParcelRig, 'parcels'>,
  reference: string,
  withAudit = false,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await parcels.export(reference, { withAudit })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** In pieces that end anywhere, as they come over a socket. */
export async function* inPieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}
