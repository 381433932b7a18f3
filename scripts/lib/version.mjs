import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';

export function readVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}
