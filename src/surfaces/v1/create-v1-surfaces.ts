import type { Chat } from '../../core/chat/chat.ts';
import type { Forks } from '../../core/replay/forks.ts';
import type { Replays } from '../../core/replay/replays.ts';
import type { ServedRuns } from '../../core/runs/runs.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import { sendMessage } from '../../operations/chat/chat.ts';
import { REPLAY_OPERATIONS } from '../../operations/runs/replays.ts';
import { LOG_OPERATIONS, type PackBundle } from '../../operations/runs/run-log.ts';
import { RUN_OPERATIONS } from '../../operations/runs/runs.ts';
import { addOperations } from '../http/add-operations.ts';
import type { Authenticate, Surface } from '../http/surface.ts';
import { encodeV1Error } from './errors.ts';
import { addEventRoutes } from './event-routes.ts';
import { addServiceRoutes, type ServiceDeps } from './service-routes.ts';
import { addToolRoutes } from './tool-routes.ts';

export interface V1Deps extends ServiceDeps {
  readonly runs: ServedRuns;
  readonly sessions: Pick<Sessions, 'get'>;
  readonly chat: Chat;
  readonly replays: Replays;
  readonly forks: Forks;
  readonly packBundle: PackBundle;
  readonly authenticate: Authenticate;
}

/** `/v1`, and the routes at the root that share its envelope. */
export function createV1Surfaces(deps: V1Deps): readonly Surface[] {
  return [
    {
      name: 'v1',
      prefix: '/v1',
      encodeError: encodeV1Error,
      authenticate: deps.authenticate,
      async routes(app, kit) {
        const { runs, sessions } = deps;
        await addOperations(app, RUN_OPERATIONS, { runs, sessions, source: 'http' });
        const { replays, forks } = deps;
        await addOperations(app, REPLAY_OPERATIONS, { replays, forks, source: 'http' });
        await addOperations(app, LOG_OPERATIONS, deps);
        await addEventRoutes(app, runs, kit);
        await addOperations(app, [sendMessage], { chat: deps.chat });
        await addToolRoutes(app, deps);
      },
    },
    {
      name: 'service',
      prefix: '',
      encodeError: encodeV1Error,
      authenticate: deps.authenticate,
      routes: (app, kit) => addServiceRoutes(app, kit, deps),
    },
  ];
}
