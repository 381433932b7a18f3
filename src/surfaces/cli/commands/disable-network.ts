import type { JsonObject } from '../../../core/json.ts';
import { defineCommand } from '../command.ts';
import { parseError } from '../errors.ts';
import { parseHost } from '../host-argument.ts';
import {
  changeSwitch,
  formatSwitched,
  readSection,
  readTexts,
  type SwitchPlan,
  toSwitchFields,
} from '../switch-change.ts';

const MAX_HOSTS = 50;
const COMMAND = 'disable network';

export const disableNetwork = defineCommand({
  usage: '[HOST]…',
  description:
    'Switches http.request off; with HOST only for these, and the rest stays as it is. Through the running server, else\n' +
    'on the configuration.',
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
  const allowed = readTexts(network, 'allowed_domains').filter((host) => !hosts.includes(host));
  // A name stands for all below it: taking a part of it away would change nothing, and look as if it did.
  const wider = hosts.flatMap((host) => allowed.filter((one) => host.endsWith(`.${one}`)));
  if (wider.length > 0) {
    throw parseError(`${hosts.join(', ')} can still be reached, because ${wider[0]} is allowed`, {
      target: COMMAND,
      hint: `claw disable network ${wider[0]}`,
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
