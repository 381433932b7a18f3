import { defined } from '../defined.ts';
import type { JsonObject, JsonValue } from '../json.ts';

/** What a worker is asked. */
export interface RpcRequest {
  readonly id: string;
  readonly method: string;
  readonly params: JsonValue | undefined;
}

/** What became of it: JSON-RPC 2.0, with a `result` or an `error`. */
export interface RpcResponse extends JsonObject {
  readonly jsonrpc: '2.0';
  readonly id: string;
}

export const OVERLOADED = -32001;
export const FAILED = -32000;
export const METHOD_NOT_FOUND = -32601;

export function rpcResult(id: string, result: JsonValue): RpcResponse {
  return { jsonrpc: '2.0', id, result };
}

export interface RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

export function rpcError(id: string, { code, message, data }: RpcFault): RpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message, ...defined({ data }) } };
}

/** Asked, and nobody can tell whether it was done. */
export function unknownOutcome(id: string, message: string): RpcResponse {
  return rpcError(id, { code: FAILED, message, data: { outcome: 'unknown' } });
}

export function isOk(response: RpcResponse): boolean {
  return response['error'] === undefined;
}
