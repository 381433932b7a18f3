/** Texts from outside are stored as JSON strings: a driver cuts plain text at the first NUL character. */
export function toJsonText(text: string): string;
export function toJsonText(text: string | undefined): string | null;
export function toJsonText(text: string | undefined): string | null {
  return text === undefined ? null : JSON.stringify(text);
}

export function parseJsonText(json: string): string;
export function parseJsonText(json: string | null): string | undefined;
export function parseJsonText(json: string | null): string | undefined {
  return json === null ? undefined : (JSON.parse(json) as string);
}
