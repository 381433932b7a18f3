import type { Agent } from '../../core/agents/agent.ts';
import type { AgentPage } from '../../core/agents/agents.ts';
import { toIso } from '../../core/clock.ts';
import type { ConfigSaved, FieldProblem } from '../../core/config-editor.ts';
import { AGENT_ID_PATTERN, type AgentId } from '../../core/ids.ts';
import type { Mail } from '../../core/mail/mail.ts';
import type { AuditVerdict } from '../../core/records/verify-audit.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import type { SecretName } from '../../core/secrets/secrets.ts';
import type { StatusReport } from '../../core/status.ts';
import { encodeAuditVerdict } from './audit-codec.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { encodeSchedulerState } from './job-codec.ts';
import { encodeRunSummary, takeFittingRuns } from './run-codec.ts';
import type {
  AgentListShape,
  AgentShape,
  AuditVerdictShape,
  ConfigSavedShape,
  ConfigVerdictShape,
  MailListShape,
  SecretListShape,
  StatusShape,
} from './runtime-shapes.ts';

export function encodeStatus(report: StatusReport): StatusShape {
  const { counts, limits, model } = report;
  return {
    run_count: RUN_STATUSES.reduce((sum, status) => sum + counts[status], 0),
    runs: takeFittingRuns(report.runs).map(encodeRunSummary),
    counts: {
      queued: counts.queued,
      running: counts.running,
      waiting: counts.waiting,
      cancelling: counts.cancelling,
      completed: counts.completed,
      failed: counts.failed,
      cancelled: counts.cancelled,
    },
    model: { provider: model?.provider ?? '', name: model?.name ?? '' },
    version: report.version,
    engine: report.engine,
    started_at: toIso(report.startedAtMs),
    uptime_seconds: Math.floor(report.uptimeMs / 1000),
    scheduler: encodeSchedulerState(report.scheduler),
    queue: {
      queued: counts.queued,
      running: counts.running,
      max_queued: limits.maxQueued,
      max_concurrent: limits.maxConcurrent,
    },
    effects: { unknown: report.unknownEffects },
    approvals: { pending: report.pendingApprovals },
    warnings: [...report.warnings],
  };
}

export function encodeConfigSaved(saved: ConfigSaved): ConfigSavedShape {
  return {
    ok: true,
    applied: [...saved.applied],
    restart_required: [...saved.restartRequired],
    overridden: [...saved.overridden],
  };
}

export function encodeConfigVerdict(problems: readonly FieldProblem[]): ConfigVerdictShape {
  return {
    valid: problems.length === 0,
    field_errors: problems.map(({ path, message }) => ({ path, message })),
  };
}

export function encodeSecrets(names: readonly SecretName[]): SecretListShape {
  return {
    keys: names.map(({ name }) => name),
    secrets: names.map(({ name, updatedAtMs }) => ({ name, updated_at: toIso(updatedAtMs) })),
  };
}

export function encodeAgent(agent: Agent): AgentShape {
  return {
    agent_id: agent.id,
    name: agent.name,
    role: agent.role,
    model: agent.model ?? null,
    instructions: agent.instructions,
    created_at: toIso(agent.createdAtMs),
  };
}

export function encodeAgentPage({ agents, next }: AgentPage): AgentListShape {
  return {
    agents: agents.map(encodeAgent),
    next_cursor: next === undefined ? null : encodeCursor(next),
  };
}

export function decodeAgentCursor(cursor: string): AgentId {
  return decodeCursor(cursor, (place) => AGENT_ID_PATTERN.test(place)) as AgentId;
}

export function encodeMail(agentId: string, mail: readonly Mail[]): MailListShape {
  return {
    agent_id: agentId,
    mail: mail.map((one) => ({
      mail_id: one.id,
      from: one.from,
      to: one.to,
      subject: one.subject,
      task_id: one.taskId,
      body: one.body,
      run_id: one.runId ?? null,
      sent_at: toIso(one.sentAtMs),
      delivered_at: one.deliveredAtMs === undefined ? null : toIso(one.deliveredAtMs),
    })),
  };
}

export function encodeAudit(verdict: AuditVerdict): AuditVerdictShape {
  const { log, files } = verdict;
  return { ...encodeAuditVerdict(verdict), complete: log.isComplete && files.isComplete };
}
