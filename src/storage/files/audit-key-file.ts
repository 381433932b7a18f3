import { join } from 'node:path';
import { AUDIT_KEY_PATH } from '../../core/records/record-paths.ts';
import { createSigningKeyFile, type SigningKeyFile } from './signing-key-file.ts';

/** The key that a node signs its audit files with: files are a node's own, and so is the key. */
export function createAuditKeyFile(root: string): SigningKeyFile {
  return createSigningKeyFile({
    file: join(root, AUDIT_KEY_PATH),
    need: 'lines signed with another key are not taken for those of this node',
  });
}
