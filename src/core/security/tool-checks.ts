import { judgeSandbox } from './judge-sandbox.ts';
import type { Judgement, Text } from './judgement.ts';
import type { SecurityFacts } from './security-facts.ts';

/** How far agents reach: sandbox, shell, network, the guards around calls, and when a person is asked. */

export function checkSandboxReady({ sandbox, shell }: SecurityFacts): Judgement {
  const recoveryAction = {
    en: 'Install bubblewrap 0.8 or Docker and set sandbox.active and sandbox.provider; claw doctor tells what is missing.',
    es: 'Instala bubblewrap 0.8 o Docker y define sandbox.active y sandbox.provider; claw doctor dice qué falta.',
  };
  // The configuration refuses a shell without a sandbox, which is opened with the server: this one started before.
  if (sandbox === undefined && shell.isEnabled) return WAITS_FOR_RESTART;
  if (sandbox === undefined) {
    return {
      status: 'pass',
      message: {
        en: 'No sandbox is set up, and agents can run no commands.',
        es: 'No hay sandbox configurado y los agentes no pueden ejecutar comandos.',
      },
      recoveryAction,
    };
  }
  const { provider, probe } = sandbox;
  const status = judgeSandbox(probe);
  return { status, message: describeSandbox(provider, probe), recoveryAction };
}

const WAITS_FOR_RESTART: Judgement = {
  status: 'fail',
  message: {
    en: 'A sandbox is set up, but the server started without it: agents can run no commands yet.',
    es: 'Hay un sandbox configurado, pero el servidor arrancó sin él: los agentes aún no pueden ejecutar comandos.',
  },
  recoveryAction: { en: 'Restart the server.', es: 'Reinicia el servidor.' },
};

function describeSandbox(
  provider: string,
  probe: NonNullable<SecurityFacts['sandbox']>['probe'],
): Text {
  if (!probe.available) {
    return {
      en: `The sandbox ${provider} can't run a command.`,
      es: `El sandbox ${provider} no puede ejecutar ningún comando.`,
    };
  }
  return probe.weaknesses.length === 0
    ? {
        en: `The sandbox ${provider} runs commands with all its protections.`,
        es: `El sandbox ${provider} ejecuta comandos con todas sus protecciones.`,
      }
    : {
        en: `The sandbox ${provider} runs commands, but lacks protections (${probe.weaknesses.length}).`,
        es: `El sandbox ${provider} ejecuta comandos, pero le faltan protecciones (${probe.weaknesses.length}).`,
      };
}

export function checkShell({ shell }: SecurityFacts): Judgement {
  const allowsAll = shell.allowed.some((rule) => rule.trim() === '*');
  const isOpen = shell.isEnabled && allowsAll && shell.asked.length === 0;
  return {
    status: isOpen ? 'warn' : 'pass',
    message: describeShell(shell.isEnabled, isOpen),
    recoveryAction: {
      en: 'List the commands that agents need in shell.allowed_commands, the rest in shell.ask_commands, or run claw disable shell.',
      es: 'Pon en shell.allowed_commands los comandos que necesitan los agentes y el resto en shell.ask_commands, o ejecuta claw disable shell.',
    },
  };
}

function describeShell(isEnabled: boolean, isOpen: boolean): Text {
  if (!isEnabled) {
    return { en: 'The shell is off.', es: 'La shell está desactivada.' };
  }
  return isOpen
    ? {
        en: 'Agents may run any command without asking.',
        es: 'Los agentes pueden ejecutar cualquier comando sin preguntar.',
      }
    : {
        en: 'Agents run only commands that rules allow or a person approves.',
        es: 'Los agentes solo ejecutan comandos que permiten las reglas o aprueba una persona.',
      };
}

export function checkNetwork({ network }: SecurityFacts): Judgement {
  const reachesAll = network.domains.some((domain) => /^\*(:\d+)?$/.test(domain));
  const isOpen = network.isEnabled && (reachesAll || network.reachesLocalhost);
  return {
    status: isOpen ? 'warn' : 'pass',
    message: describeNetwork(network, reachesAll),
    recoveryAction: {
      en: 'Name the hosts that agents need in network.allowed_domains, set network.allow_localhosts to false, or run claw disable network.',
      es: 'Nombra en network.allowed_domains los hosts que necesitan los agentes, pon network.allow_localhosts en false o ejecuta claw disable network.',
    },
  };
}

function describeNetwork(network: SecurityFacts['network'], reachesAll: boolean): Text {
  if (!network.isEnabled) {
    return { en: 'The network is off.', es: 'La red está desactivada.' };
  }
  if (reachesAll) {
    return {
      en: 'Agents may reach any host.',
      es: 'Los agentes pueden llegar a cualquier host.',
    };
  }
  if (network.reachesLocalhost) {
    return {
      en: 'Agents may reach services on this machine.',
      es: 'Los agentes pueden llegar a los servicios de esta máquina.',
    };
  }
  return {
    en: `Agents may reach only the ${network.domains.length} hosts that are listed.`,
    es: `Los agentes solo pueden llegar a los ${network.domains.length} hosts de la lista.`,
  };
}

export function checkReliability({ reliability }: SecurityFacts): Judgement {
  const isOn = reliability === 'all' || reliability === 'read_only';
  return {
    status: isOn ? 'pass' : 'warn',
    message: isOn
      ? {
          en: `Tool calls are guarded (mode ${reliability}).`,
          es: `Las llamadas a herramientas están protegidas (modo ${reliability}).`,
        }
      : {
          en: `Tool calls are not guarded (mode ${reliability}): a repeated write may happen twice.`,
          es: `Las llamadas a herramientas no están protegidas (modo ${reliability}): una escritura repetida puede ocurrir dos veces.`,
        },
    recoveryAction: {
      en: 'Set tool_reliability.mode to all, and leave TOOL_RELIABILITY_ENABLED unset.',
      es: 'Define tool_reliability.mode como all y deja TOOL_RELIABILITY_ENABLED sin definir.',
    },
  };
}

export function checkApprovals({ approvals }: SecurityFacts): Judgement {
  const { hasRuleOfTwo, blanketTools } = approvals;
  const isBlanket = blanketTools.some((tool) => tool === '*');
  return {
    status: hasRuleOfTwo && !isBlanket ? 'pass' : 'warn',
    message: describeApprovals(hasRuleOfTwo, isBlanket),
    recoveryAction: {
      en: 'Set policy.rule_of_two to true and let policy.rules allow single tools only.',
      es: 'Define policy.rule_of_two como true y deja que policy.rules permita solo herramientas concretas.',
    },
  };
}

function describeApprovals(hasRuleOfTwo: boolean, isBlanket: boolean): Text {
  if (isBlanket) {
    return {
      en: 'A rule allows every tool, whatever it is called with.',
      es: 'Una regla permite todas las herramientas, con cualquier argumento.',
    };
  }
  return hasRuleOfTwo
    ? {
        en: 'A person is asked before a run that saw untrusted input and secret data acts outward.',
        es: 'Se pregunta a una persona antes de que actúe hacia fuera una ejecución que vio datos no fiables y secretos.',
      }
    : {
        en: 'Nobody is asked before a run that saw untrusted input and secret data acts outward.',
        es: 'No se pregunta a nadie antes de que actúe hacia fuera una ejecución que vio datos no fiables y secretos.',
      };
}
