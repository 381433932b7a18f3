import { toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Agent, AgentStore } from './agent.ts';
import type { AgentFiles } from './agent-files.ts';

export interface SoulsDeps {
  readonly store: Pick<AgentStore, 'update'>;
  readonly files: Pick<AgentFiles, 'findSoul' | 'findMark' | 'write'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly logger: Logger;
}

/** The agent as its soul file has it now. Never fails: what is stored is good enough to work with. */
export type ReadSoul = (agent: Agent) => Promise<Agent>;

/**
 * A person edits the file and the next run has it; the store has it then too, for nodes with other disks. Whether a file
 * was edited is told by the digest of what was last written there, not by clocks, which nodes do not share.
 */
export function createReadSoul({ store, files, redactor, logger }: SoulsDeps): ReadSoul {
  async function read(agent: Agent): Promise<Agent> {
    const file = await files.findSoul(agent.slug);
    if (!file) return agent;
    const instructions = redactor.redactText(file.text);
    if (instructions === agent.instructions) return agent;
    if ((await files.findMark(agent.slug)) === file.digest) {
      // Nobody touched it since it was written from here: another node has changed the agent.
      await files.write(agent);
      return agent;
    }
    const edited = await store.update(agent.id, { instructions });
    if (!edited) return agent;
    await files.write(edited);
    return edited;
  }

  return (agent) =>
    read(agent).catch((thrown: unknown) => {
      const { message } = toRuntimeError(thrown);
      logger.warn(
        { agent_id: agent.id },
        `the soul of ${agent.slug} could not be read: ${message}`,
      );
      return agent;
    });
}
