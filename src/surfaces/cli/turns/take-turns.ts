import { RuntimeError } from '../../../core/errors.ts';
import type { AgentId, SessionId } from '../../../core/ids.ts';
import type { Transcript, TranscriptStore } from '../../../core/transcripts/transcript-store.ts';
import { namingAgent } from '../admin-arguments.ts';
import { openTranscripts } from '../commands/sessions/transcript-access.ts';
import type { CliContext } from '../program/context.ts';
import { toFailure } from '../program/errors.ts';
import type { ErrorBlock } from '../program/failure.ts';
import { keepTurn, toTold } from './kept-turn.ts';
import { openTurnSession, openTurns, type TurnWay } from './open-turns.ts';
import { takeTurn } from './take-turn.ts';
import { skippedTurn, type Turn } from './turn.ts';

export interface TurnPlan {
  readonly agentId: AgentId;
  readonly prompt: string;
  /** Sent after each completed turn; without one there is a single turn. */
  readonly continuationPrompt: string | undefined;
  readonly maxTurns: number;
  /** Of all turns together. Zero and less leave no time at all. */
  readonly timeoutMs: number | undefined;
  /** Input and output of all turns together. */
  readonly maxTokens: number | undefined;
  /** A transcript to go on with; a new one without. */
  readonly session: string | undefined;
  readonly directory: string | undefined;
}

export interface TakenTurns {
  readonly transcriptId: string;
  /** Undefined while nothing was written to it. */
  readonly transcriptPath: string | undefined;
  readonly turns: readonly Turn[];
  /** What tools did, a line each. */
  readonly toolMessages: readonly string[];
  /** Why the turn after the last did not come about, or why the last is not in the transcript. */
  readonly fault: ErrorBlock | undefined;
}

/** Takes turns until one of them is the last: any that does not complete is. Only completed ones get into the transcript. */
export async function takeTurns(context: CliContext, plan: TurnPlan): Promise<TakenTurns> {
  const deadline = plan.timeoutMs === undefined ? undefined : performance.now() + plan.timeoutMs;
  const { directory, session } = plan;
  const transcripts = await openTranscripts(context, directory);
  const begun = session === undefined ? undefined : await transcripts.load(session);
  const ground = { context, plan, transcripts, deadline };
  const loop = new TurnLoop(ground, begun, begun?.id ?? transcripts.newId());
  if (plan.timeoutMs === undefined || plan.timeoutMs > 0) {
    const turns = await openTurns(context);
    try {
      await loop.run(turns);
    } finally {
      await turns.close();
    }
  } else {
    loop.skip('timeout');
  }
  return loop.end();
}

interface Ground {
  readonly context: CliContext;
  readonly plan: TurnPlan;
  readonly transcripts: TranscriptStore;
  /** By the monotonic clock. */
  readonly deadline: number | undefined;
}

class TurnLoop {
  readonly #ground: Ground;
  readonly #transcriptId: string;
  #transcript: Transcript | undefined;
  readonly #turns: Turn[] = [];
  readonly #toolMessages: string[] = [];
  #fault: ErrorBlock | undefined;
  #usedTokens = 0;

  constructor(ground: Ground, begun: Transcript | undefined, transcriptId: string) {
    this.#ground = ground;
    this.#transcript = begun;
    this.#transcriptId = transcriptId;
  }

  async run(turns: TurnWay): Promise<void> {
    const { agentId, maxTurns } = this.#ground.plan;
    const told = this.#transcript === undefined ? [] : toTold(this.#transcript);
    const transcriptId = this.#transcriptId;
    const opening = openTurnSession(turns, { agentId, transcriptId, told });
    const sessionId = await namingAgent(agentId, opening);
    while (this.#turns.length < maxTurns && this.#nextPrompt() !== undefined) {
      const obstacle = this.#findObstacle();
      if (obstacle !== undefined) return this.skip(obstacle);
      if (!(await this.#take(turns, sessionId))) return;
    }
  }

  skip(stopReason: Turn['stopReason']): void {
    this.#turns.push(skippedTurn(this.#nextPrompt() ?? '', stopReason));
  }

  end(): TakenTurns {
    return {
      transcriptId: this.#transcriptId,
      transcriptPath: this.#transcript?.path,
      turns: this.#turns,
      toolMessages: this.#toolMessages,
      fault: this.#fault,
    };
  }

  /** True when another turn may follow. */
  async #take(turns: TurnWay, sessionId: SessionId): Promise<boolean> {
    const { context, plan, transcripts } = this.#ground;
    const outcome = await takeTurn(context, {
      turns,
      agentId: plan.agentId,
      sessionId,
      prompt: this.#nextPrompt() ?? '',
      timeoutMs: this.#remainingMs(),
      maxTokens: this.#remainingTokens(),
      waitsForApproval: true,
    });
    if (outcome.outcome === 'failed') {
      this.#fault = outcome.fault;
      return false;
    }
    const { turn } = outcome;
    const { run } = turn;
    this.#turns.push(turn);
    if (turn.stopReason !== 'completed' || run === undefined) return false;
    // What is unknown can't be counted; the run itself holds what is known against its own limits.
    this.#usedTokens += (run.usage.input_tokens ?? 0) + (run.usage.output_tokens ?? 0);
    for (const { tool, summary, error } of run.trace.tool_execution_results) {
      this.#toolMessages.push(`${tool}: ${error || summary || 'ok'}`);
    }
    const keeping = keepTurn({
      transcripts,
      transcriptId: this.#transcriptId,
      exists: this.#transcript !== undefined,
      run,
    });
    return this.#settle(keeping);
  }

  /** The answer was given and paid for: that it can't be written down must not cost it, nor have it asked for again. */
  async #settle(keeping: Promise<Transcript>): Promise<boolean> {
    try {
      this.#transcript = await keeping;
      return true;
    } catch (thrown) {
      if (!(thrown instanceof RuntimeError)) throw thrown;
      const { error } = toFailure(thrown, { operation: 'write', target: this.#transcriptId });
      this.#fault = error && { ...error, retryable: false };
      return false;
    }
  }

  #nextPrompt(): string | undefined {
    const { prompt, continuationPrompt } = this.#ground.plan;
    return this.#turns.length === 0 ? prompt : continuationPrompt;
  }

  #findObstacle(): Turn['stopReason'] | undefined {
    if (this.#ground.context.signal.aborted) return 'cancelled';
    if ((this.#remainingMs() ?? 1) <= 0) return 'timeout';
    return (this.#remainingTokens() ?? 1) <= 0 ? 'max_budget_reached' : undefined;
  }

  #remainingMs(): number | undefined {
    const { deadline } = this.#ground;
    return deadline === undefined ? undefined : deadline - performance.now();
  }

  #remainingTokens(): number | undefined {
    const { maxTokens } = this.#ground.plan;
    return maxTokens === undefined ? undefined : maxTokens - this.#usedTokens;
  }
}
