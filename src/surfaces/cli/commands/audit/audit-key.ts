import { RuntimeError } from '../../../../core/errors.ts';
import { toKeyId } from '../../../../core/secrets/signing-key.ts';
import { defineCommand } from '../../program/command.ts';

export const auditKey = defineCommand({
  usage: '',
  description:
    'Prints the public half of the key that this node signs its audit files with, and its fingerprint. Hand it to whom\n' +
    'you hand audit files to, by another way than the files. Every node has a key of its own.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw audit key', 'claw audit key > node.pub'],
  async run(_input, { root, parts }) {
    const key = await (await parts.openAuditKey(root)).find();
    if (key) return { publicKey: key.publicKey, keyId: toKeyId(key.publicKey) };
    throw new RuntimeError('not_found', 'this state root has no audit key yet', {
      details: { thing: 'key', hint: 'it is made when the first run is recorded' },
    });
  },
  fields: ({ publicKey, keyId }) => ({
    algorithm: 'ed25519',
    public_key: publicKey,
    fingerprint: keyId,
  }),
  text: ({ publicKey, keyId }) => `public key   ${publicKey}\nfingerprint  ${keyId}`,
});
