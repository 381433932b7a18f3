const OFFSET_BASIS = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const MASK = 0xffffffffffffffffn;

/** FNV-1a in 64 bits over the path's UTF-8, as 16 hex digits: the folder name that other programs look for too. */
export function fingerprintWorkspace(path: string): string {
  let hash = OFFSET_BASIS;
  for (const byte of new TextEncoder().encode(path)) {
    hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  }
  return hash.toString(16).padStart(16, '0');
}
