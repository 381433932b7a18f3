import { existsSync } from 'node:fs';
import type { Environment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { type Comms, createComms } from '../core/comms/comms.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Storage } from '../core/storage.ts';
import { openStorage } from '../open-storage.ts';
import type { OpenedComms } from '../surfaces/cli/commands/comms/comms-access.ts';

export interface CommsGround {
  readonly storage: Pick<Storage, 'comms'>;
  readonly redactor: Redactor;
}

/** Delivery events, and whom nothing may be sent to any more. */
export function assembleComms({ storage, redactor }: CommsGround): Comms {
  return createComms({ store: storage.comms, redactor });
}

export interface OpenCommsOptions {
  readonly root: string;
  readonly env: Environment;
  readonly logger: Logger;
}

/** On the database of a state root, without a runtime around it. Creates nothing where there is none. */
export async function openComms({ root, env, logger }: OpenCommsOptions): Promise<OpenedComms> {
  const loaded = await loadConfig({ root, env });
  if (loaded.credentials.databaseUrl === undefined && !existsSync(loaded.paths.databaseFile)) {
    return NO_COMMS;
  }
  const storage = await openStorage(loaded, { role: 'local' }, logger);
  const comms = assembleComms({ storage, redactor: asIs });
  return {
    list: (limit) => comms.listSuppressions(limit),
    lift: (recipient) => comms.lift(recipient),
    close: () => storage.close(),
  };
}

/** Nothing is taken in here, so there is nothing to redact. */
const asIs: Redactor = {
  redact: (value) => ({ value, paths: [] }),
  redactText: (text) => text,
};

const NO_COMMS: OpenedComms = {
  list: async () => [],
  async lift() {
    throw new RuntimeError('not_found', 'that recipient is not suppressed', {
      details: { thing: 'suppression' },
    });
  },
  close: async () => {},
};
