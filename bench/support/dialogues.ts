import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A conversation over several sessions, with questions and the turns that answer them. */
export interface Dialogue {
  readonly name: string;
  readonly turns: readonly {
    readonly key: string;
    readonly session: string;
    readonly atMs: number;
    /** As it is remembered: `Speaker: text`, the caption of a picture appended. */
    readonly text: string;
  }[];
  readonly questions: readonly {
    readonly text: string;
    readonly category: string;
    /** Keys of turns. */
    readonly evidence: readonly string[];
  }[];
}

interface LocomoTurn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface LocomoSample {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly {
    readonly question: string;
    readonly category: number;
    readonly evidence: readonly string[];
  }[];
}

const FILES = ['locomo10.json', 'locomo/locomo10.json', 'data/locomo10.json'];

export const WHERE_IT_IS = `LoCoMo (Maharana et al., 2024) is under CC BY-NC 4.0 and no part of this repository. Get
locomo10.json from github.com/snap-research/locomo (folder data) and name the file or its folder in PINCER_BENCH_DATA.`;

/** Undefined when it is not there. */
export function findLocomo(place: string | undefined): string | undefined {
  if (!place || !existsSync(place)) return undefined;
  if (statSync(place).isFile()) return place;
  return FILES.map((file) => join(place, file)).find((file) => existsSync(file));
}

export function readLocomo(file: string): Dialogue[] {
  const samples = JSON.parse(readFileSync(file, 'utf8')) as LocomoSample[];
  return samples.map(({ sample_id: name, conversation, qa }) => {
    const turns = Object.entries(conversation).flatMap(([session, said]) =>
      /^session_\d+$/.test(session) && Array.isArray(said)
        ? readSession(session, said as LocomoTurn[], String(conversation[`${session}_date_time`]))
        : [],
    );
    const known = new Set(turns.map(({ key }) => key));
    const questions = qa.map(({ question, category, evidence }) => ({
      text: question,
      category: String(category),
      // Some are written as `D8:6; D9:17`, some name turns that do not exist.
      evidence: [...new Set(evidence.flatMap((keys) => keys.match(/D\d+:\d+/g) ?? []))].filter(
        (key) => known.has(key),
      ),
    }));
    return { name, turns, questions: questions.filter(({ evidence }) => evidence.length > 0) };
  });
}

function readSession(
  session: string,
  said: readonly LocomoTurn[],
  date: string,
): Dialogue['turns'] {
  const atMs = readDate(date);
  return said.map(({ speaker, dia_id: key, text, blip_caption: caption }) => ({
    key,
    session,
    atMs,
    text: `${speaker}: ${text}${caption ? ` [${caption}]` : ''}`,
  }));
}

/** `1:56 pm on 8 May, 2023` */
function readDate(text: string): number {
  const [time = '', date = ''] = text.split(' on ');
  const atMs = Date.parse(`${date.replace(',', '')} ${time.replace(/(am|pm)$/i, ' $1')} UTC`);
  if (Number.isNaN(atMs)) throw new Error(`no date: ${text}`);
  return atMs;
}
