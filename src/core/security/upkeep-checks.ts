import { judgeNode, OLDEST_NODE, RECOMMENDED_NODE } from './judge-node.ts';
import type { Judgement, Text } from './judgement.ts';
import type { SecurityFacts } from './security-facts.ts';

/** What has to be done again and again, and what has to be there: records, backups, budgets, keys, Node. */

const DAY_MS = 24 * 60 * 60 * 1000;
/** Somebody who altered the records should not go unnoticed for longer than a week. */
const MAX_AUDIT_AGE_MS = 7 * DAY_MS;
/** What a week of work may cost to do again. */
const MAX_BACKUP_AGE_MS = 7 * DAY_MS;

export function checkAudit({ audit }: SecurityFacts, nowMs: number): Judgement {
  const recoveryAction = {
    en: 'Run claw audit verify, at best every day.',
    es: 'Ejecuta claw audit verify, mejor todos los días.',
  };
  if (audit === undefined) {
    const message = {
      en: 'The records were never verified.',
      es: 'Los registros de auditoría no se han verificado nunca.',
    };
    return { status: 'warn', message, recoveryAction };
  }
  if (audit.faults > 0) {
    return {
      status: 'fail',
      message: {
        en: `The last verification found altered records (${audit.faults}).`,
        es: `La última verificación encontró registros alterados (${audit.faults}).`,
      },
      recoveryAction: {
        en: 'Run claw audit verify to see which, and compare them with a backup.',
        es: 'Ejecuta claw audit verify para ver cuáles y compáralos con una copia de seguridad.',
      },
    };
  }
  const days = toDays(nowMs - audit.atMs);
  return {
    status: nowMs - audit.atMs <= MAX_AUDIT_AGE_MS ? 'pass' : 'warn',
    message: {
      en: `The records were last verified ${ago(days).en} and are intact.`,
      es: `Los registros se verificaron por última vez ${ago(days).es} y están intactos.`,
    },
    recoveryAction,
  };
}

export function checkBackup({ backup }: SecurityFacts, nowMs: number): Judgement {
  const recoveryAction = {
    en: 'Run claw backup FILE at least once a week, and keep the file on another machine.',
    es: 'Ejecuta claw backup FILE al menos una vez por semana y guarda el archivo en otra máquina.',
  };
  if (backup === undefined) {
    const message = {
      en: 'No backup was ever made.',
      es: 'Nunca se ha hecho una copia de seguridad.',
    };
    return { status: 'warn', message, recoveryAction };
  }
  const days = toDays(nowMs - backup.atMs);
  return {
    status: nowMs - backup.atMs <= MAX_BACKUP_AGE_MS ? 'pass' : 'warn',
    message: {
      en: `The last backup was made ${ago(days).en}.`,
      es: `La última copia de seguridad se hizo ${ago(days).es}.`,
    },
    recoveryAction,
  };
}

function toDays(ageMs: number): number {
  return Math.max(0, Math.floor(ageMs / DAY_MS));
}

function ago(days: number): Text {
  if (days === 0) return { en: 'within the last day', es: 'en el último día' };
  return days === 1
    ? { en: '1 day ago', es: 'hace 1 día' }
    : { en: `${days} days ago`, es: `hace ${days} días` };
}

export function checkBudgets({ hasBudget }: SecurityFacts): Judgement {
  return {
    status: hasBudget ? 'pass' : 'warn',
    message: hasBudget
      ? { en: 'Spending has a limit.', es: 'El gasto tiene un límite.' }
      : {
          en: 'Nothing limits what models may cost.',
          es: 'Nada limita lo que pueden costar los modelos.',
        },
    recoveryAction: {
      en: 'Set one with claw costs set-budget, or set costs.default_project_budget_usd.',
      es: 'Define uno con claw costs set-budget o con costs.default_project_budget_usd.',
    },
  };
}

export function checkVoice({ voice }: SecurityFacts): Judgement {
  const { stt, tts, missingKeys, unknown } = voice;
  const missing = missingKeys.join(', ');
  if (unknown.length > 0) {
    return {
      status: 'warn',
      message: {
        en: `Voice names a provider that does not exist: ${unknown.join(', ')}.`,
        es: `La voz nombra un proveedor que no existe: ${unknown.join(', ')}.`,
      },
      recoveryAction: {
        en: 'Set STT_PROVIDER to local or openai, and TTS_PROVIDER to local, openai or elevenlabs.',
        es: 'Define STT_PROVIDER como local u openai, y TTS_PROVIDER como local, openai o elevenlabs.',
      },
    };
  }
  return {
    status: missing === '' ? 'pass' : 'warn',
    message:
      missing === ''
        ? {
            en: `Voice has the keys it needs (speech to text: ${stt}, text to speech: ${tts}).`,
            es: `La voz tiene las claves que necesita (voz a texto: ${stt}, texto a voz: ${tts}).`,
          }
        : {
            en: `Voice lacks keys: ${missing}.`,
            es: `A la voz le faltan claves: ${missing}.`,
          },
    recoveryAction: {
      en: 'Store the key with claw secrets set provider/NAME/api_key, or choose the provider local.',
      es: 'Guarda la clave con claw secrets set provider/NAME/api_key o elige el proveedor local.',
    },
  };
}

export function checkNodeVersion({ nodeVersion }: SecurityFacts): Judgement {
  const { status } = judgeNode(nodeVersion);
  return {
    status,
    message:
      status === 'pass'
        ? { en: `Node ${nodeVersion} is supported.`, es: `Node ${nodeVersion} es compatible.` }
        : {
            en: `Node ${nodeVersion} is too old.`,
            es: `Node ${nodeVersion} es demasiado antiguo.`,
          },
    recoveryAction: {
      en: `Run claw with Node ${RECOMMENDED_NODE}; ${OLDEST_NODE} is the oldest that works.`,
      es: `Ejecuta claw con Node ${RECOMMENDED_NODE}; la versión mínima es ${OLDEST_NODE}.`,
    },
  };
}
