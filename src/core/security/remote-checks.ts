import { isLoopback } from './is-loopback.ts';
import type { CheckStatus, Judgement, Text } from './judgement.ts';
import type { SecurityFacts } from './security-facts.ts';

/** How the outside world comes in, and where we go out to a gateway. */

export function checkOpenclaw({ openclawUrl }: SecurityFacts): Judgement {
  const url = openclawUrl === undefined ? undefined : parseUrl(openclawUrl);
  const isLocal = openclawUrl === undefined || (url !== undefined && isLoopback(url.hostname));
  return {
    status: isLocal ? 'pass' : url?.protocol === 'wss:' ? 'warn' : 'fail',
    message: describeOpenclaw(openclawUrl, isLocal),
    recoveryAction: {
      en: 'Keep OPENCLAW_WS_URL on localhost or 127.0.0.1; elsewhere only over wss.',
      es: 'Mantener OPENCLAW_WS_URL en localhost o 127.0.0.1.',
    },
  };
}

function describeOpenclaw(openclawUrl: string | undefined, isLocal: boolean): Text {
  if (openclawUrl === undefined) {
    return { en: 'No OpenClaw gateway is connected.', es: 'No hay ningún OpenClaw conectado.' };
  }
  return isLocal
    ? {
        en: 'The OpenClaw gateway is on this machine.',
        es: 'OpenClaw sigue en red local privada.',
      }
    : {
        en: 'The OpenClaw gateway is on another machine.',
        es: 'OpenClaw está en otra máquina, fuera de la red local privada.',
      };
}

export function checkRemoteProvider({ remote: { provider } }: SecurityFacts): Judgement {
  const isSet = provider !== 'none';
  return {
    status: isSet ? 'pass' : 'warn',
    message: isSet
      ? {
          en: `Remote access goes through ${provider}.`,
          es: `El acceso remoto pasa por ${provider}.`,
        }
      : {
          en: 'No way in from outside is set up: the server can only be used on this machine.',
          es: 'No hay acceso remoto configurado: el servidor solo se puede usar en esta máquina.',
        },
    recoveryAction: {
      en: 'Set REMOTE_ACCESS_PROVIDER to tailscale, cloudflare or proxy once one of the helper commands runs.',
      es: 'Define REMOTE_ACCESS_PROVIDER como tailscale, cloudflare o proxy cuando esté en marcha uno de los comandos de ayuda.',
    },
  };
}

const URL_VARIABLES = {
  none: 'TAILSCALE_FUNNEL_URL / CLOUDFLARE_TUNNEL_URL',
  tailscale: 'TAILSCALE_FUNNEL_URL',
  cloudflare: 'CLOUDFLARE_TUNNEL_URL',
  proxy: 'remote_access.proxy_url',
} as const;

/** A tunnel whose name the server does not know brings requests that are all refused. */
export function checkRemoteUrl({ remote, server }: SecurityFacts): Judgement {
  const variable = URL_VARIABLES[remote.provider];
  const url = remote.publicUrl === undefined ? undefined : parseUrl(remote.publicUrl);
  if (url === undefined) {
    return judgeUrl('warn', variable, {
      en: 'The https address for remote access is not known.',
      es: 'No se conoce la dirección https del acceso remoto.',
    });
  }
  if (url.protocol !== 'https:') {
    return judgeUrl('fail', variable, {
      en: `The address for remote access is not encrypted: ${url.origin}`,
      es: `La dirección del acceso remoto no va cifrada: ${url.origin}`,
    });
  }
  const isKnown = server.allowedHosts.some((host) =>
    [url.host, url.hostname].includes(host.toLowerCase()),
  );
  if (isKnown) {
    return judgeUrl('pass', variable, {
      en: `Remote access is encrypted: ${url.origin}`,
      es: `El acceso remoto va cifrado: ${url.origin}`,
    });
  }
  const command = `claw config set server.allowed_hosts '["${url.hostname}"]'`;
  return {
    status: 'warn',
    message: {
      en: `The server refuses requests for ${url.hostname}: it is not among server.allowed_hosts.`,
      es: `El servidor rechaza las peticiones para ${url.hostname}: no está en server.allowed_hosts.`,
    },
    recoveryAction: {
      en: `Run ${command} and restart the server.`,
      es: `Ejecuta ${command} y reinicia el servidor.`,
    },
  };
}

function judgeUrl(status: CheckStatus, variable: string, message: Text): Judgement {
  return {
    status,
    message,
    recoveryAction: {
      en: `Set ${variable} to the https address that the tunnel shows.`,
      es: `Define ${variable} con la dirección https que muestra el túnel.`,
    },
  };
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
