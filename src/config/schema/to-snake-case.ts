/** `failureTtlMs` as the config spells it: `failure_ttl_ms`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
