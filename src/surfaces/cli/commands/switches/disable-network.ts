import { RuntimeError } from '../../../../core/errors.ts';
import type { JsonObject } from '../../../../core/json.ts';
import { parseHost } from '../../host-argument.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import {
  changeSwitch,
  formatSwitched,
  readSection,
  readTexts,
  type SwitchPlan,
  toSwitchFields,
} from './switch-change.ts';

const MAX_HOSTS = 50;
const COMMAND = 'disable network';

export const disableNetwork = defineCommand({
  usage: '[HOST]…',
  description:
    'Switches http.request off; with HOST only for these, and the rest stays as it is. A HOST without a port means it with\n' +
    'every port. Through the running server, else on the configuration.',
  args: { min: 0, max: MAX_HOSTS },
  options: {},
  examples: ['claw disable network', 'claw disable network api.example.com'],
  run({ args }, context) {
    const hosts = args.map((host) => parseHost(host, COMMAND));
    return changeSwitch(context, 'network', (config) =>
      hosts.length === 0 ? ALL_OFF : planWithout(config, hosts),
    );
  },
  fields: toSwitchFields,
  text: formatSwitched,
});

const ALL_OFF: SwitchPlan = {
  isOn: false,
  change: { network: { enabled: false } },
  consequences: ['agents can send no requests, and are not told of http.request'],
};

function planWithout(config: JsonObject, hosts: readonly string[]): SwitchPlan {
  const network = readSection(config, 'network');
  const before = readTexts(network, 'allowed_domains');
  const allowed = before.filter((one) => !hosts.some((host) => isCovered(one, host)));
  // A name stands for all below it: taking a part of it away would change nothing, and look as if it did.
  const wider = hosts.flatMap((host) => allowed.filter((one) => host.endsWith(`.${one}`)));
  if (wider.length > 0) {
    throw parseError(`${hosts.join(', ')} can still be reached, because ${wider[0]} is allowed`, {
      target: COMMAND,
      hint: `claw disable network ${wider[0]}`,
    });
  }
  const unlisted = hosts.find((host) => !before.some((one) => isCovered(one, host)));
  if (unlisted !== undefined) {
    throw new RuntimeError('invalid_input', `${unlisted} is not among the hosts that are allowed`, {
      details: {
        operation: 'disable_network',
        target: unlisted,
        hint: before.length === 0 ? 'none is allowed' : `allowed: ${before.join(', ')}`,
      },
    });
  }
  return {
    isOn: network['enabled'] === true,
    change: { network: { allowed_domains: allowed } },
    consequences: [
      allowed.length === 0
        ? 'agents can reach no host any more'
        : `agents can still reach: ${allowed.join(', ')}`,
    ],
  };
}

/** A name without a port means it with every port. */
function isCovered(allowed: string, host: string): boolean {
  const name = allowed.toLowerCase();
  return name === host || (!host.includes(':') && name.replace(/:\d+$/, '') === host);
}
