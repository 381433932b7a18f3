import type { JsonObject } from '../json.ts';

/** What an external tool says about itself: everything a model reads and everything its effect is judged by. */
export interface ToolDeclaration {
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
}

/** What a person agreed to, beside what the server showed last. A tool is usable while the two are equal. */
export interface ToolPin {
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  readonly seenHash: string;
  readonly seen: ToolDeclaration;
  readonly seenAtMs: number;
  /** Absent until somebody approved it. */
  readonly approvedHash?: string;
  readonly approved?: ToolDeclaration;
  readonly approvedAtMs?: number;
}

/** `pending` was never approved; `changed` was, but says something else now. */
export type PinStatus = 'approved' | 'pending' | 'changed';

/** Remembered tool declarations. One row per server and tool; `put` replaces whole rows, all or none. */
export interface ToolPinStore {
  find(server: string, tool: string): Promise<ToolPin | undefined>;
  /** Of one server, or of all, by server and tool. */
  list(server?: string): Promise<ToolPin[]>;
  put(pins: readonly ToolPin[]): Promise<void>;
}

export function pinStatus(pin: ToolPin): PinStatus {
  if (pin.approvedHash === undefined) return 'pending';
  return pin.approvedHash === pin.seenHash ? 'approved' : 'changed';
}
