import type { Config } from './config/load-config.ts';
import type { ChatSettings } from './core/chat/chat.ts';
import type { AgentId } from './core/ids.ts';
import type { SchedulerSettings } from './core/schedule/scheduler-settings.ts';
import type { ContextLimits } from './core/sessions/context-limits.ts';

/** Sections of the configuration as the core wants them, for those who ask at each use. */
export function toChatSettings({ chat }: Config): ChatSettings {
  return {
    enabled: chat.enabled,
    // The schema has checked its shape; whether there is such an agent is asked when it is needed.
    defaultAgentId: chat.default_agent_id as AgentId,
    allowUsers: chat.allow_users,
    allowRooms: chat.allow_rooms,
    rateLimitPerMin: chat.rate_limit_per_min,
    globalRateLimitPerMin: chat.global_rate_limit_per_min,
  };
}

export function toSchedulerSettings({ scheduler, engine, sessions }: Config): SchedulerSettings {
  return {
    isEnabled: scheduler.enabled,
    maxConcurrentJobs: scheduler.max_concurrent_jobs,
    misfireGraceMs: scheduler.misfire_grace_ms,
    historyPerJob: scheduler.history_per_job,
    maxQueued: engine.max_queued_runs,
    maxWaitingInSession: sessions.max_waiting_messages,
  };
}

export function toContextLimits({ sessions }: Config): ContextLimits {
  return {
    maxMessageChars: sessions.max_message_chars,
    maxSummaryChars: sessions.max_summary_chars,
    maxErrorChars: sessions.max_error_chars,
    maxOutputChars: sessions.max_output_chars,
    maxContextChars: sessions.max_context_chars,
  };
}
