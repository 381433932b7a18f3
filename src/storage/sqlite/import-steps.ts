import type { SessionId } from '../../core/ids.ts';
import type { ImportStep } from '../../core/parcels/import-store.ts';
import type { CreateJobResult, JobBounds, NewJob } from '../../core/schedule/job-store.ts';
import type { SessionSummary } from '../../core/sessions/session-store.ts';
import { assertCreated } from '../job-rules.ts';
import { readSteps, type StagedSteps } from '../staged-steps.ts';
import { toJsonText } from './json-text.ts';
import { createSessionRows } from './sessions/session-rows.ts';
import type { TableWrites } from './table-writes.ts';
import type { WriteContext } from './write-context.ts';

interface ImportParts extends Pick<TableWrites, 'performWrite'> {
  saveSummary(id: SessionId, summary: SessionSummary): void;
  createJob(job: NewJob, bounds: JobBounds): CreateJobResult;
}

type Messages = Extract<ImportStep, { step: 'messages' }>;

/** Takes the steps of an import inside the batch's transaction: all of them, or none. */
export function createImportSteps(context: WriteContext, parts: ImportParts) {
  const { db } = context;
  const rows = createSessionRows(context);
  const addMessages = createAddMessages(context);

  function take(step: ImportStep): void {
    switch (step.step) {
      case 'write':
        parts.performWrite(step.name, step.given);
        return;
      case 'session':
        rows.insert(step.session);
        if (step.summary) parts.saveSummary(step.session.id, step.summary);
        return;
      case 'messages':
        addMessages(step);
        return;
      case 'job':
        assertCreated(parts.createJob(step.job, step.bounds), step.job);
        return;
    }
  }

  return (steps: StagedSteps): void => {
    // Others share the transaction: what is refused halfway must leave nothing of itself in it.
    db.exec('SAVEPOINT import_steps');
    try {
      for (const step of readSteps(steps)) take(step);
    } catch (thrown) {
      // SQLite has rolled back by itself after some faults, as a full disk.
      if (db.isTransaction) db.exec('ROLLBACK TO import_steps; RELEASE import_steps');
      throw thrown;
    }
    db.exec('RELEASE import_steps');
  };
}

/** As they were, and without their runs, which stayed where they come from. */
function createAddMessages({ db }: WriteContext): (step: Messages) => void {
  const insert = db.prepare(`
    INSERT INTO session_messages (
      session_no, exchange, position, role, content, tool_name, tool_call_id, status, at_ms
    ) SELECT no, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM sessions WHERE id = ?1`);
  const count = db.prepare(`
    UPDATE sessions SET message_count = message_count + ?2, last_exchange = max(last_exchange, ?3)
    WHERE id = ?1`);

  return ({ sessionId, messages }) => {
    for (const message of messages) {
      const { exchange, position, role, content, toolName, toolCallId } = message;
      const texts = [toJsonText(content), toJsonText(toolName), toJsonText(toolCallId)];
      const end = [message.status ?? null, message.atMs];
      insert.run(sessionId, exchange, position, role, ...texts, ...end);
    }
    count.run(sessionId, messages.length, Math.max(...messages.map(({ exchange }) => exchange)));
  };
}
