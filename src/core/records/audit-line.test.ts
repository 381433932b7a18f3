import { expect, test } from 'vitest';
import type { Event } from '../events/event.ts';
import { hashEvent } from '../events/hash-chain.ts';
import type { AgentId, EventId, RunId } from '../ids.ts';
import { decodeAuditLine, encodeAuditLine } from './audit-line.ts';

const draft: Omit<Event, 'hash'> = {
  id: 'evt_123' as EventId,
  runId: 'run_123' as RunId,
  agentId: 'agent_default' as AgentId,
  seq: 7,
  type: 'tool.call',
  atMs: Date.parse('2026-02-15T00:00:00.123Z'),
  actor: 'model',
  payload: { input: { text: 'two\nlines \u2028 "quoted"', token: '[REDACTED]' }, '10': 1, '9': 2 },
  redactions: ['payload.input.token'],
  prevHash: 'root',
};
const event: Event = { ...draft, hash: hashEvent(draft) };

test('an event is one line with the members of the contract and its place in the chain', () => {
  const { atMs, json } = encodeAuditLine(event);

  expect(atMs).toBe(event.atMs);
  expect(json).toBe(
    '{"event_id":"evt_123","event_type":"tool.call","ts":"2026-02-15T00:00:00.123Z","run_id":"run_123",' +
      '"agent_id":"agent_default","actor":"model","seq":7,' +
      '"payload":{"9":2,"10":1,"input":{"text":"two\\nlines \u2028 \\"quoted\\"","token":"[REDACTED]"}},' +
      `"redactions":["payload.input.token"],"prev_hash":"root","hash":"${event.hash}"}`,
  );
});

test('a line gives back the very event, so that its hash can be checked', () => {
  const decoded = decodeAuditLine(encodeAuditLine(event).json);

  expect(decoded).toEqual(event);
  expect(decoded && hashEvent(decoded)).toBe(event.hash);
});

test('no proper part of a line is taken for an event', () => {
  const { json } = encodeAuditLine(event);

  const taken = Array.from(json, (_, end) => decodeAuditLine(json.slice(0, end)));

  expect(taken.filter((part) => part !== undefined)).toEqual([]);
});
