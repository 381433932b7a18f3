/** A time of a query, which its shape has looked at. */
export function decodeMoment(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
