import { isLoopback } from './is-loopback.ts';
import { judgeFiles } from './judge-files.ts';
import { judgeToken } from './judge-token.ts';
import type { Judgement, Text } from './judgement.ts';
import type { SecurityFacts } from './security-facts.ts';
import { MIN_TOKEN_CHARS, type TokenWeakness } from './token-weakness.ts';

/** Who gets in: the bearer token, the address, how often may be asked, and who reads the secrets on the disk. */

function isExposed({ server, remote }: SecurityFacts): boolean {
  return !isLoopback(server.host) || remote.provider !== 'none';
}

export function checkTokenNotDefault(facts: SecurityFacts): Judgement {
  const isKnown = facts.tokenWeakness === 'known';
  return {
    status: judgeToken(isKnown ? 'known' : undefined, isExposed(facts)),
    message: isKnown
      ? {
          en: 'A default token is in use (dev-token or another that everybody knows).',
          es: 'Se esta usando token por defecto (dev-token).',
        }
      : {
          en: 'The bearer token is none of the well-known defaults.',
          es: 'El token de acceso no es ninguno de los valores por defecto.',
        },
    recoveryAction: {
      en: 'Set API_BEARER_TOKEN to a strong value, or unset it to use the generated one.',
      es: 'Define API_BEARER_TOKEN con un valor fuerte.',
    },
  };
}

const WEAKNESSES: Readonly<Record<TokenWeakness, Text>> = {
  known: {
    en: 'The bearer token is one that everybody knows.',
    es: 'El token de acceso es uno que todo el mundo conoce.',
  },
  short: {
    en: `The bearer token has fewer than ${MIN_TOKEN_CHARS} characters and can be guessed.`,
    es: `El token de acceso tiene menos de ${MIN_TOKEN_CHARS} caracteres y se puede adivinar.`,
  },
  monotonous: {
    en: 'The bearer token repeats a few characters and can be guessed.',
    es: 'El token de acceso repite unos pocos caracteres y se puede adivinar.',
  },
};

export function checkTokenStrong(facts: SecurityFacts): Judgement {
  const { tokenWeakness } = facts;
  return {
    status: judgeToken(tokenWeakness, isExposed(facts)),
    message:
      tokenWeakness === undefined
        ? {
            en: 'The bearer token is long and varied enough.',
            es: 'El token de acceso es lo bastante largo y variado.',
          }
        : WEAKNESSES[tokenWeakness],
    recoveryAction: {
      en: 'Make one with: openssl rand -base64 32',
      es: 'Genera uno con: openssl rand -base64 32',
    },
  };
}

export function checkBindAddress({ server: { host } }: SecurityFacts): Judgement {
  const isLocal = isLoopback(host);
  return {
    status: isLocal ? 'pass' : 'warn',
    message: isLocal
      ? {
          en: `The server listens on ${host}, which only this machine reaches.`,
          es: `El servidor escucha en ${host}, que solo alcanza esta máquina.`,
        }
      : {
          en: `The server listens on ${host}: other machines reach it, and nothing is encrypted.`,
          es: `El servidor escucha en ${host}: otras máquinas lo alcanzan y nada va cifrado.`,
        },
    recoveryAction: {
      en: 'Keep server.bind_address at 127.0.0.1 and put a tunnel or a proxy with TLS in front.',
      es: 'Deja server.bind_address en 127.0.0.1 y pon delante un túnel o un proxy con TLS.',
    },
  };
}

const MINUTE_MS = 60_000;
/** Ten times what the defaults allow: enough for any product, too little to try tokens out. */
const MAX_REQUESTS_PER_MINUTE = 6_000;
const MAX_FAILURES_PER_MINUTE = 100;

export function checkRateLimit({ server }: SecurityFacts): Judgement {
  const perMinute = Math.round((server.maxRequests * MINUTE_MS) / server.windowMs);
  const isLow =
    perMinute <= MAX_REQUESTS_PER_MINUTE && server.maxAuthFailures <= MAX_FAILURES_PER_MINUTE;
  const { maxAuthFailures: failures } = server;
  return {
    status: isLow ? 'pass' : 'warn',
    message: isLow
      ? {
          en: `At most ${perMinute} requests and ${failures} failed sign-ins are taken in a minute.`,
          es: `Se aceptan como máximo ${perMinute} peticiones y ${failures} accesos fallidos por minuto.`,
        }
      : {
          en: `The limits are too high to protect: ${perMinute} requests and ${failures} failed sign-ins in a minute.`,
          es: `Los límites son demasiado altos para proteger: ${perMinute} peticiones y ${failures} accesos fallidos por minuto.`,
        },
    recoveryAction: {
      en: 'Set API_RATE_LIMIT_MAX, API_RATE_LIMIT_WINDOW_MS and api.auth_failures_per_minute to what callers need.',
      es: 'Ajusta API_RATE_LIMIT_MAX, API_RATE_LIMIT_WINDOW_MS y api.auth_failures_per_minute a lo que necesitan los clientes.',
    },
  };
}

const MAX_NAMED = 5;

export function checkFiles({ files }: SecurityFacts): Judgement {
  const { status, barred, loose } = judgeFiles(files);
  const named = (barred.length > 0 ? barred : loose).map(({ path }) => path);
  const list = named.slice(0, MAX_NAMED).join(', ');
  const rest = named.length > MAX_NAMED ? ', …' : '';
  if (barred.length > 0) {
    return {
      status,
      message: {
        en: `This user can't use files of its own: ${list}${rest}.`,
        es: `Este usuario no puede usar archivos propios: ${list}${rest}.`,
      },
      recoveryAction: {
        en: 'Give them to the user that runs claw with chown.',
        es: 'Asígnalos con chown al usuario que ejecuta claw.',
      },
    };
  }
  return {
    status,
    message:
      loose.length > 0
        ? {
            en: `Other users may read what is private: ${list}${rest}.`,
            es: `Otros usuarios pueden leer lo que es privado: ${list}${rest}.`,
          }
        : {
            en: 'Nobody else may read the keys, the token and the database.',
            es: 'Nadie más puede leer las claves, el token ni la base de datos.',
          },
    recoveryAction:
      loose.length > 0
        ? {
            en: `Run: ${toChmod(loose)}`,
            es: `Ejecuta: ${toChmod(loose)}`,
          }
        : {
            en: 'Keep files at mode 600 and folders at 700.',
            es: 'Mantén los archivos con modo 600 y las carpetas con 700.',
          },
  };
}

export function toChmod(loose: ReturnType<typeof judgeFiles>['loose']): string {
  return loose.map(({ path, isFolder }) => `chmod ${isFolder ? 700 : 600} ${path}`).join('; ');
}
