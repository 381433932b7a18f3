import { createHash } from 'node:crypto';
import { canonicalJson } from '../json.ts';
import type { ToolDeclaration, ToolPin } from './tool-pin.ts';

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
