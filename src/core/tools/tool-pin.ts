import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../json.ts';

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

export function hashDeclaration(tool: string, declaration: ToolDeclaration): string {
  const { description, inputSchema, annotations } = declaration;
  return createHash('sha256')
    .update(canonicalJson([tool, description, inputSchema, annotations]))
    .digest('hex');
}

/** The pin after the server has shown this declaration; the very same object when it says nothing new. */
export function observePin(
  known: ToolPin | undefined,
  sight: {
    readonly server: string;
    readonly tool: string;
    readonly declaration: ToolDeclaration;
    readonly atMs: number;
    /** Whether a tool nobody has seen before is trusted. */
    readonly approveNew: boolean;
  },
): ToolPin {
  const seenHash = hashDeclaration(sight.tool, sight.declaration);
  if (known?.seenHash === seenHash) return known;
  const seen = { seenHash, seen: sight.declaration, seenAtMs: sight.atMs };
  if (known) return { ...known, ...seen };
  const pin = { server: sight.server, tool: sight.tool, ...seen };
  return sight.approveNew ? approvePin(pin, sight.atMs) : pin;
}

export function approvePin(pin: ToolPin, atMs: number): ToolPin {
  return { ...pin, approvedHash: pin.seenHash, approved: pin.seen, approvedAtMs: atMs };
}
