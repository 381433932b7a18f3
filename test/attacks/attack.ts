import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Event } from '../../src/core/events/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { decodeAuditLine } from '../../src/core/records/audit-line.ts';
import { auditPath } from '../../src/core/records/record-paths.ts';
import type { Run } from '../../src/core/runs/run.ts';
import { createOfflineModel } from '../../src/providers/offline/offline-model.ts';
import { verifyAuditFiles } from '../../src/storage/files/verify-audit-files.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';

/** One call that must not get through. */
interface Attack {
  readonly tool: string;
  readonly input: JsonObject;
}

/** What became of an attack, by the run's own log. */
export interface Repelled {
  readonly run: Run;
  readonly events: readonly Event[];
}

/** A runtime that is attacked through runs, as by a model that was told to. */
export interface Battlefield {
  readonly runtime: TestRuntime;
  attack(attack: Attack): Promise<Repelled>;
  /** Closes the runtime; the audit files are whole after that. Answers with their events. */
  close(): Promise<readonly Event[]>;
  remove(): Promise<void>;
}

export async function openBattlefield(config: object): Promise<Battlefield> {
  const runtime = await openTestRuntime(createOfflineModel(), { config });
  return {
    runtime,
    async attack({ tool, input }) {
      const run = await runtime.ask(`/tool ${tool} ${JSON.stringify(input)}`);
      return { run, events: await runtime.events(run.id) };
    },
    async close() {
      await runtime.close();
      return readAudit(runtime.root);
    },
    remove: () => runtime.dispose(),
  };
}

async function readAudit(root: string): Promise<readonly Event[]> {
  const directory = join(root, auditPath('agent_default'));
  const events: Event[] = [];
  for (const name of await readdir(directory)) {
    for (const line of (await readFile(join(directory, name), 'utf8')).split('\n')) {
      const event = decodeAuditLine(line);
      if (event) events.push(event);
    }
  }
  expect(await verifyAuditFiles({ root })).toMatchObject({ ok: true, openRuns: 0 });
  return events;
}

/** The run ended, its call was refused by policy, and the refusal is an event of its own, with the reason. */
export function expectDenied({ run, events }: Repelled, tool: string): JsonObject {
  const results = events.filter(({ type }) => type === 'tool.result');
  const decisions = events.filter(({ type }) => type === 'policy.decision');
  expect(run.status).toBe('completed');
  expect(results.map(({ payload }) => payload)).toMatchObject([
    { tool, ok: false, error: { code: 'policy.denied', retryable: false } },
  ]);
  expect(decisions.map(({ payload }) => payload)).toMatchObject([{ decision: 'deny', tool }]);
  return (decisions[0]?.payload['details'] ?? {}) as JsonObject;
}

/** The audit files hold the refusal as the log does. */
export function expectAudited({ run, events }: Repelled, audit: readonly Event[]): void {
  const logged = events.filter(({ type }) => type === 'policy.decision');
  const audited = audit.filter(({ type, runId }) => type === 'policy.decision' && runId === run.id);
  expect(audited).toEqual(logged);
  expect(audited).toHaveLength(1);
}
