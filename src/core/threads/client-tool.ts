import type { JsonObject } from '../json.ts';

/** A tool that the model may call and the product carries out: its result comes back as a frame. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, passed on to the model. */
  readonly inputSchema: JsonObject;
}
