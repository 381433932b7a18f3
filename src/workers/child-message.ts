import { defined } from '../core/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { type RpcResponse, rpcResult } from '../core/workers/json-rpc.ts';

/** What a line of a program means. */
export type ChildMessage =
  | { readonly kind: 'response'; readonly response: RpcResponse }
  | { readonly kind: 'notice'; readonly payload: JsonObject }
  /** It wants something of us. */
  | { readonly kind: 'request'; readonly id: string | number; readonly payload: JsonObject }
  | { readonly kind: 'noise' };

const NOISE: ChildMessage = { kind: 'noise' };

export function decodeChildMessage(line: string): ChildMessage {
  const value = parse(line);
  if (!isJsonObject(value)) return NOISE;
  const { id, method, params } = value;
  if (typeof method === 'string') {
    const payload = { method, ...defined({ params }) };
    if (!isId(id)) return { kind: 'notice', payload };
    return { kind: 'request', id, payload: { ...payload, request_id: String(id) } };
  }
  if (!isId(id)) return NOISE;
  return { kind: 'response', response: toResponse(String(id), value) };
}

/** An error is one only as JSON-RPC writes it; anything else there would hide that the request failed. */
function toResponse(id: string, { result, error }: JsonObject): RpcResponse {
  if (error === undefined || error === null) return rpcResult(id, result ?? null);
  const isError = isJsonObject(error) && typeof error['code'] === 'number';
  const fault = isError ? error : { code: -32603, message: 'malformed error', data: error };
  return { jsonrpc: '2.0', id, error: fault };
}

function parse(line: string): JsonValue | undefined {
  // A thrown error costs a hundred times as much as this look, and a program may print nothing but noise.
  if (!/^\s*\{/.test(line)) return undefined;
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
}

function isId(id: JsonValue | undefined): id is string | number {
  return typeof id === 'string' || typeof id === 'number';
}
