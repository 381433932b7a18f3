import type { Chat } from '../../core/chat/chat.ts';
import type { ServedRuns } from '../../core/runs/runs.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import type { Authenticate, Surface } from '../http/surface.ts';
import { addChatRoutes } from './chat-routes.ts';
import { encodeV1Error } from './errors.ts';
import { addEventRoutes } from './event-routes.ts';
import { addRunRoutes } from './run-routes.ts';
import { addServiceRoutes, type ServiceDeps } from './service-routes.ts';
import { addToolRoutes } from './tool-routes.ts';

export interface V1Deps extends ServiceDeps {
  readonly runs: ServedRuns;
  readonly sessions: Pick<Sessions, 'get'>;
  readonly chat: Chat;
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
      routes(app, kit) {
        addRunRoutes(app, deps);
        addEventRoutes(app, deps.runs, kit);
        addChatRoutes(app, deps.chat);
        addToolRoutes(app, deps);
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
