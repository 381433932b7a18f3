/** A whole number of the environment, for tests that can be told to try more than they do by default. */
export function readCount(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
  return Number(text);
}
