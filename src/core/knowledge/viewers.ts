import type { Agent } from '../agents/agent.ts';
import type { Viewer } from './fact.ts';

/** Who looks, for whom, as callers say it. */
export interface Onlooker {
  readonly owner: string;
  /** The agent that reads: id, slug or name. Absent: nobody in particular. */
  readonly reader?: string;
}

type Known = Pick<Agent, 'id' | 'memoryAccess'>;

export interface Viewers {
  /** Throws `not_found` for an unknown agent. */
  see(onlooker: Onlooker): Promise<Viewer>;
  resolve(reference: string): Promise<Known>;
}

export function createViewers(agents: { resolve(reference: string): Promise<Known> }): Viewers {
  const resolve = (reference: string) => agents.resolve(reference);
  return {
    resolve,

    async see({ owner, reader }) {
      const agent = reader === undefined ? undefined : await resolve(reader);
      return { owner, readerId: agent?.id, isOwnOnly: agent?.memoryAccess === 'private' };
    },
  };
}
