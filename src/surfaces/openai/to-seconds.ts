/** Times of OpenAI's API are in whole seconds. */
export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
