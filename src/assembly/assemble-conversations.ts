import type { LiveConfig } from '../config/live-config.ts';
import { createChat } from '../core/chat/chat.ts';
import { systemClock } from '../core/clock.ts';
import type { Seal } from '../core/events/seal.ts';
import type { AgentId, Ids } from '../core/ids.ts';
import type { SwitchWatch } from '../core/kill-switch/kill-switch.ts';
import type { Logger } from '../core/log.ts';
import { createMailbox } from '../core/mail/mailbox.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Runner } from '../core/runs/runner.ts';
import type { Runs } from '../core/runs/runs.ts';
import { createJobs, MAX_JOB_PAGE } from '../core/schedule/jobs.ts';
import { createScheduler, type Scheduler } from '../core/schedule/scheduler.ts';
import { createSchedulerState } from '../core/schedule/scheduler-state.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import { createSessions } from '../core/sessions/sessions.ts';
import type { Storage } from '../core/storage.ts';
import { toChatSettings, toContextLimits, toSchedulerSettings } from '../live-settings.ts';
import { createMailTools } from '../toolbox/mail/mail-tools.ts';
import { createScheduleTools } from '../toolbox/schedule/schedule-tools.ts';
import { createSecretsList } from '../toolbox/secrets/secrets-list.ts';
import { createSessionTools } from '../toolbox/sessions/session-tools.ts';

export interface ConversationGround {
  readonly live: LiveConfig;
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly killSwitch: Pick<SwitchWatch, 'isOn'>;
}

/** What makes runs and is told their answers. Runs use its tools, so this part comes before them and starts after. */
interface RunParts {
  readonly runs: Runs;
  readonly runner: Runner;
  readonly seal: Seal;
}

/** Sessions, mail between agents and jobs, with the tools that agents use them by. */
export function assembleConversations(ground: ConversationGround) {
  const { live, storage, ids, redactor } = ground;
  const clock = systemClock;
  const config = () => live.current().config;
  const started: { scheduler?: Scheduler } = {};
  const sessions = createSessions({
    store: storage.sessions,
    agents: storage.agents,
    ids,
    redactor,
    context: () => toContextLimits(config()),
  });
  const mailbox = createMailbox({ mail: storage.mail, agents: storage.agents, ids, redactor });
  const jobs = createJobs({
    store: storage.jobs,
    agents: storage.agents,
    sessions: storage.sessions,
    ids,
    redactor,
    clock,
    maxJobs: () => config().scheduler.max_jobs,
    maxJobsPerPrincipal: () => config().scheduler.max_jobs_per_principal,
    onChange: () => started.scheduler?.wake(),
  });
  return {
    sessions,
    mailbox,
    jobs,
    readScheduler: createSchedulerState({ jobs, isEnabled: () => config().scheduler.enabled }),
    tools: [
      ...createSessionTools({ sessions }),
      ...createMailTools({ mailbox }),
      ...createScheduleTools({ jobs, sessions: storage.sessions }),
      createSecretsList(ground.secrets, () => config().network.principal_secrets),
    ],
    /** Nobody would do its jobs any more. */
    async forgetAgent(id: AgentId): Promise<void> {
      for (;;) {
        const { jobs: own } = await jobs.list({ agentId: id, limit: MAX_JOB_PAGE });
        if (own.length === 0) return;
        for (const job of own) await jobs.remove(job.id);
      }
    },
    /** One for the process: it remembers who wrote how often. */
    createChat: ({ runs }: RunParts) =>
      createChat({
        runs,
        sessions,
        agents: storage.agents,
        clock,
        settings: () => toChatSettings(config()),
      }),
    startScheduler({ runner, seal }: RunParts): Scheduler {
      const scheduler = createScheduler({
        store: storage.jobs,
        sessions: storage.sessions,
        ids,
        seal,
        redactor,
        clock,
        logger: ground.logger,
        slots: runner,
        mayFire: async () => !(await ground.killSwitch.isOn()),
        settings: () => toSchedulerSettings(config()),
      });
      started.scheduler = scheduler;
      scheduler.start();
      return scheduler;
    },
  };
}
