import type { JsonObject } from '../../core/json.ts';

/** What the offline model makes of a message. */
export type Wish =
  | { readonly kind: 'call'; readonly tool: string; readonly input: JsonObject }
  | { readonly kind: 'malformed'; readonly tool: string }
  /** A question back, or something that needs no tool. */
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'tools' }
  | { readonly kind: 'help' }
  | { readonly kind: 'unclear' };

/** A message without what is there for politeness only. */
export interface PlainRequest {
  /** From its first word that matters to its end. */
  readonly body: string;
  /** The same without thanks and marks at its end: what ends with a name, and not with somebody's text. */
  readonly bare: string;
}

/** One kind of request; undefined for what is another. */
export type Understand = (request: PlainRequest) => Wish | undefined;

export function call(tool: string, input: JsonObject): Wish {
  return { kind: 'call', tool, input };
}

export function say(text: string): Wish {
  return { kind: 'say', text };
}
