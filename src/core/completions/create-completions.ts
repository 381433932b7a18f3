import type { Runs } from '../runs/runs.ts';
import { type BeginDeps, beginCompletion } from './begin-completion.ts';
import type { Completions } from './completions.ts';
import { awaitAnswer, followAnswer } from './follow-answer.ts';
import { type ListModelsDeps, listModels } from './list-models.ts';

export interface CompletionsDeps extends BeginDeps, Omit<ListModelsDeps, 'agents'> {
  readonly reading: Pick<Runs, 'tail'>;
}

export function createCompletions(deps: CompletionsDeps): Completions {
  return {
    begin: (request) => beginCompletion(deps, request),
    follow: (exchange, options) => followAnswer(deps.reading, exchange, options),
    awaitAnswer: (exchange, signal) => awaitAnswer(deps.reading, exchange, signal),
    listModels: () => listModels(deps),
  };
}
