import type { ReadChecklist } from '../../core/security/checklist.ts';
import { chooseLanguage } from '../../core/security/choose-language.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import { encodeChecklist } from './security-codec.ts';

export interface ChecklistReading {
  readonly readChecklist: ReadChecklist;
}

const define = operationsWith(() => import('./security-shapes.ts'));

export const readChecklist = define({
  name: 'security.checklist',
  method: 'GET',
  path: '/api/security/checklist',
  effect: 'read',
  summary: 'Whether this installation may be opened to the world',
  description:
    'Every check is made now, the sandbox at most once a minute. What is not right comes with what to do about it, and ' +
    'with the commands that open a tunnel to the real port.',
  tags: ['security'],
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ languageHeaders, checklist }) => ({
    headers: languageHeaders,
    answers: { 200: answer('The checklist.', checklist) },
  }),
  async run(deps: ChecklistReading, { headers }) {
    const language = chooseLanguage(headers['accept-language']);
    const body = encodeChecklist(await deps.readChecklist(), language);
    return new Reply(200, body, { 'content-language': language, vary: 'accept-language' });
  },
});

export const SECURITY_OPERATIONS: readonly AnyOperation<ChecklistReading>[] = [readChecklist];
