/** As a sentence. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
