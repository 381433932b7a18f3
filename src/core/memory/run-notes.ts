import { defined } from '../defined.ts';
import type { AgentId, RunId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { DEFAULT_PROJECT_ID } from '../projects/project-id.ts';
import { cutText } from '../sessions/cut-text.ts';
import type { Memories } from './memories.ts';

/** What a run was asked, and what came of it. */
export interface EndedRun {
  readonly id: RunId;
  readonly owner: string;
  readonly agentId: AgentId;
  readonly projectId: string | undefined;
  readonly sessionId: string | undefined;
  readonly message: string;
  readonly output: string;
}

/** Behind the run: nobody waits for it, and a run that leaves none has ended all the same. */
export type LeaveNote = (run: EndedRun) => void;

export interface RunNotesDeps {
  readonly memories: Pick<Memories, 'ingest'>;
  readonly logger: Logger;
  readonly isOn: () => boolean;
}

const MAX_ASKED_CHARS = 300;
const MAX_ANSWER_CHARS = 700;
/** A note counts for less than what somebody wanted remembered. */
const PRIORITY = 3;

export function createRunNotes({ memories, logger, isOn }: RunNotesDeps): LeaveNote {
  return (run) => {
    if (!isOn() || run.message.trim() === '') return;
    const asked = cutText(run.message.trim(), MAX_ASKED_CHARS);
    const answered = cutText(run.output.trim(), MAX_ANSWER_CHARS);
    const leaving = memories.ingest({
      owner: run.owner,
      agent: run.agentId,
      projectId: run.projectId ?? DEFAULT_PROJECT_ID,
      ...defined({ sessionId: run.sessionId }),
      content: `Asked: ${asked}\nAnswered: ${answered}`.replaceAll('\0', ' '),
      source: 'run',
      tags: ['run_note'],
      priorityScore: PRIORITY,
      // An answer may repeat whatever the run has read.
      isTrusted: false,
      key: `note of ${run.id}`,
    });
    leaving.catch((err: unknown) => logger.warn({ err, run_id: run.id }, 'a run left no note'));
  };
}
