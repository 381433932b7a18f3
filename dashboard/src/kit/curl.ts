import { type AnyInput, encodeRequest } from '../../../src/operations/client.ts';
import type { Declaration } from '../../../src/operations/operation.ts';

/** The same request for a terminal. The token stays a variable: it is never on the page. */
export function toCurl(operation: Declaration, input: AnyInput): string {
  const { method, path, body } = encodeRequest(operation, input);
  const parts = [
    `curl -sS -X ${method} '${location.origin}${path.replaceAll("'", '%27')}'`,
    `-H "Authorization: Bearer $API_BEARER_TOKEN"`,
  ];
  if (body !== undefined) {
    parts.push(
      "-H 'Content-Type: application/json'",
      `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
    );
  }
  return parts.join(' \\\n  ');
}
