/** The path of a request target. Queries may hold anything, tokens too, and stay out of logs and messages. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end);
}
