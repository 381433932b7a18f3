import type { Closing } from '../closing-list.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { REMOTE_PROVIDER } from '../core/agents/agent-runtime.ts';
import { systemClock } from '../core/clock.ts';
import type { Costs } from '../core/costs/costs.ts';
import { parseUsd } from '../core/costs/money.ts';
import { RuntimeError, toRuntimeError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Model, Models } from '../core/loop/model.ts';
import { BRIDGE_OFF, type Bridge, type BridgeStatus } from '../core/openclaw/bridge.ts';
import { PROJECT_ID_PATTERN } from '../core/projects/project-id.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import type { Role } from '../open-storage.ts';
import type { GatewayBridge } from '../openclaw/gateway-bridge.ts';
import type { UnclaimedUsage } from '../openclaw/session.ts';
import { VERSION } from '../version.ts';

export interface OpenClawGround {
  readonly live: LiveConfig;
  readonly secrets: Pick<Secrets, 'find'>;
  readonly costs: Pick<Costs, 'record'>;
  readonly logger: Logger;
  readonly closing: Closing;
  readonly role: Role;
}

export interface OpenClaw {
  readonly bridge: Bridge;
  /** The same models, and agents of the gateway among them as `openclaw/<agent>`. */
  withRemoteAgents(models: Models): Models;
}

/** The way to agents that live in a gateway. Nothing of it is loaded where none is configured. */
export function assembleOpenClaw(ground: OpenClawGround): OpenClaw {
  const { openclaw } = ground.live.current().config;
  const { url } = openclaw;
  if (url === null) return OFF;
  let bridge: GatewayBridge | undefined;
  let opened: Promise<GatewayBridge> | undefined;
  const open = async (): Promise<GatewayBridge> => {
    opened ??= openNow(ground, url);
    bridge = await opened;
    return bridge;
  };
  ground.closing.add(async () => (await opened)?.stop());
  // A server connects before anybody needs it, so that an operator sees at once whether it may.
  if (ground.role === 'server') {
    open().then(
      (made) => made.start(),
      (err: unknown) => ground.logger.error({ err }, 'the bridge to OpenClaw could not be loaded'),
    );
  }
  return {
    bridge: {
      status: () => bridge?.status() ?? idleAt(ground.live.current()),
      connect: async () => (await open()).connect(),
    },
    withRemoteAgents: (models) =>
      withProvider(models, ground.live, async (name) => {
        const { createRemoteModel } = await import('../openclaw/create-remote-model.ts');
        const agent = { name, servesPrincipals: openclaw.allow_principals };
        return createRemoteModel(await open(), agent);
      }),
  };
}

const OFF: OpenClaw = {
  bridge: {
    status: () => BRIDGE_OFF,
    connect: () => Promise.reject(noGateway()),
  },
  withRemoteAgents: (models) => ({
    get: async (reference) => models.get(assertNotRemote(reference)),
    describe: async (reference) => models.describe(assertNotRemote(reference)),
  }),
};

function assertNotRemote(reference: string | undefined): string | undefined {
  if (toRemoteName(reference) !== undefined) throw noGateway();
  return reference;
}

function noGateway(): RuntimeError {
  return new RuntimeError(
    'provider_misconfigured',
    'no OpenClaw gateway is configured: set OPENCLAW_WS_URL, or openclaw.url, and start again',
  );
}

/** Empty for `openclaw` alone; undefined for what is no agent there. */
function toRemoteName(reference: string | undefined): string | undefined {
  if (reference === REMOTE_PROVIDER) return '';
  const prefix = `${REMOTE_PROVIDER}/`;
  return reference?.startsWith(prefix) ? reference.slice(prefix.length) : undefined;
}

const REMOTE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

function withProvider(
  models: Models,
  live: LiveConfig,
  create: (name: string) => Promise<Model>,
): Models {
  function find(reference: string | undefined): string | undefined {
    const { model, openclaw } = live.current().config;
    const given = toRemoteName(reference ?? model.default ?? undefined);
    const name = given === '' ? openclaw.default_agent : given;
    if (name === undefined || REMOTE_NAME.test(name)) return name;
    throw new RuntimeError(
      'provider_misconfigured',
      'an agent in OpenClaw is named by 1 to 64 letters, digits, _ or -, as in openclaw/main',
    );
  }

  return {
    async get(reference) {
      const name = find(reference);
      return name === undefined ? models.get(reference) : create(name);
    },
    async describe(reference) {
      const name = find(reference);
      return name === undefined ? models.describe(reference) : { provider: REMOTE_PROVIDER, name };
    },
  };
}

async function openNow(ground: OpenClawGround, url: string): Promise<GatewayBridge> {
  const { openBridge } = await import('../openclaw/open-bridge.ts');
  const { config, paths } = ground.live.current();
  const { openclaw } = config;
  return openBridge({
    settings: {
      url,
      dialect: openclaw.dialect,
      connectTimeoutMs: openclaw.connect_timeout_ms,
      requestTimeoutMs: openclaw.request_timeout_ms,
      maxReconnects: openclaw.max_reconnects,
      allowPlaintext: openclaw.allow_plaintext,
    },
    deviceFile: paths.openclawDeviceFile,
    findCredentials: () => findCredentials(ground),
    onUsage: createUsageRecorder(ground),
    clock: systemClock,
    logger: ground.logger,
    version: VERSION,
  });
}

/** The environment first, then the secret store. */
async function findCredentials({ live, secrets }: OpenClawGround) {
  const { credentials, config } = live.current();
  const { token_secret: token, password_secret: password } = config.openclaw;
  return {
    token: credentials.openclawToken ?? (await secrets.find(token)),
    password: credentials.openclawPassword ?? (await secrets.find(password)),
  };
}

/** Reports that wait for the database at once; a gateway that sends more loses them, and the log says so. */
const MAX_RECORDING = 16;

function createUsageRecorder({ costs, logger }: OpenClawGround): (usage: UnclaimedUsage) => void {
  let recording = 0;

  async function record(usage: UnclaimedUsage): Promise<void> {
    const { projectId, agentId, tokensIn, tokensOut, costUsd, id } = usage;
    if (!PROJECT_ID_PATTERN.test(projectId) || !REMOTE_NAME.test(agentId)) {
      throw new RuntimeError('invalid_input', 'it names no project or no agent that can be kept');
    }
    await costs.record({
      ...{ projectId, agent: agentId, agentName: undefined, tokensIn, tokensOut, atMs: undefined },
      pico: parseUsd(costUsd.toFixed(12), 'cost_usd'),
      key: id === undefined ? undefined : `openclaw:${id.slice(0, 100)}`,
    });
  }

  return (usage) => {
    if (recording >= MAX_RECORDING)
      return logger.warn({}, 'too much usage is reported by OpenClaw');
    recording += 1;
    record(usage)
      .catch((thrown: unknown) => {
        const { message } = toRuntimeError(thrown);
        logger.warn({ reason: message }, 'usage reported by OpenClaw was not recorded');
      })
      .finally(() => {
        recording -= 1;
      });
  };
}

/** Before anybody needed it. */
function idleAt({ config }: LoadedConfig): BridgeStatus {
  const { url, dialect } = config.openclaw;
  return { ...BRIDGE_OFF, state: 'idle', url: url ?? undefined, dialect };
}
