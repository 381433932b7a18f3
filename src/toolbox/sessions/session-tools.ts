import type { Sessions } from '../../core/sessions/sessions.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { createSessionClose } from './session-close.ts';
import { createSessionList } from './session-list.ts';

export interface SessionToolsDeps {
  readonly sessions: Pick<Sessions, 'list' | 'get' | 'close'>;
}

export function createSessionTools({ sessions }: SessionToolsDeps): readonly Tool[] {
  return [createSessionList(sessions), createSessionClose(sessions)];
}
