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
  unite,
} from './switch-change.ts';

const MAX_HOSTS = 50;

export const enableNetwork = defineCommand({
  usage: '[HOST]…',
  description:
    'Switches http.request on for these hosts and those allowed before, and says what follows from it. A HOST is a name\n' +
    'as in api.example.com, which stands for all below it too, or a name with a port. Doing it again is harmless.\n' +
    'Through the running server, else on the configuration.',
  args: { min: 0, max: MAX_HOSTS },
  options: {},
  examples: ['claw enable network api.example.com', 'claw enable network example.com:8443'],
  run({ args }, context) {
    const hosts = args.map((host) => parseHost(host, 'enable network'));
    return changeSwitch(context, 'network', (config) => planNetwork(config, hosts));
  },
  fields: toSwitchFields,
  text: formatSwitched,
});

function planNetwork(config: JsonObject, hosts: readonly string[]): SwitchPlan {
  const allowed = unite(readTexts(readSection(config, 'network'), 'allowed_domains'), hosts);
  if (allowed.length === 0) {
    throw parseError('there is no host', {
      target: 'enable network',
      hint: 'name those that agents may reach, as in claw enable network api.example.com',
    });
  }
  return {
    isOn: true,
    change: { network: { enabled: true, allowed_domains: allowed } },
    consequences: [
      `agents that may use http.request can send what they know to: ${allowed.join(', ')}`,
      'what comes back is written by strangers, and agents read it',
      'other hosts, this machine and private addresses stay out of reach; commands have no network',
      'claw disable network takes it back',
    ],
  };
}
