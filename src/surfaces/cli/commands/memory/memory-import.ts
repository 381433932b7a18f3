import { open } from 'node:fs/promises';
import { DEFAULT_AGENT_ID } from '../../../../core/ids.ts';
import { isJsonObject } from '../../../../core/json.ts';
import { DEFAULT_PROJECT_ID } from '../../../../core/projects/project-id.ts';
import { ingestBatch } from '../../../../operations/memory/memory.ts';
import type { IngestItemShape } from '../../../../operations/memory/memory-shapes.ts';
import { namingAgent, parseAgentOption } from '../../admin-arguments.ts';
import { MEMORY } from '../../ask/ask-memory.ts';
import { asking } from '../../ask/ask-runtime.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { parseProject, projectOption } from '../../project-option.ts';
import { DEFAULT_SOURCE } from './memory-add.ts';

const COMMAND = 'memory import';
/** Of one request: what a server takes in one body, and what it stores in one go. */
const MAX_BATCH_ITEMS = 200;
const MAX_BATCH_CHARS = 400_000;

interface Defaults {
  readonly agent_id: string;
  readonly project_id: string;
  readonly source: string;
}

export const memoryImport = defineCommand({
  usage: 'FILE.jsonl [--agent AGENT] [--project ID] [--source NAME]',
  description:
    'Each line is an object as POST /api/memory/ingest takes it: content, metadata, priority_score, key. What metadata\n' +
    'leaves out is filled in. Lines with a key may be imported again. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    agent: {
      kind: 'text',
      value: 'AGENT',
      summary: `where none is named (default ${DEFAULT_AGENT_ID})`,
    },
    project: projectOption(`where none is named (default ${DEFAULT_PROJECT_ID})`),
    source: {
      kind: 'text',
      value: 'NAME',
      summary: `where none is named (default ${DEFAULT_SOURCE})`,
    },
  },
  examples: ['claw memory import memories.jsonl --project proj_001'],
  async run({ args: [file = ''], options }, context) {
    const agent = parseAgentOption(options.agent ?? DEFAULT_AGENT_ID, COMMAND);
    const defaults: Defaults = {
      agent_id: agent,
      project_id: parseProject(options.project, COMMAND) ?? DEFAULT_PROJECT_ID,
      source: options.source ?? DEFAULT_SOURCE,
    };
    const counts = { stored: 0, reinforced: 0, replayed: 0 };
    const via = await namingAgent(
      agent,
      asking(context, MEMORY.write, async (ask, way) => {
        for await (const items of readBatches(file, defaults)) {
          const answer = await ask(ingestBatch, { body: { items: [...items] } });
          for (const { outcome } of answer.items) counts[outcome] += 1;
        }
        return way;
      }),
    );
    return { via, file, counts };
  },
  fields: ({ via, file, counts }) => ({ file, ...counts, via }),
  text: ({ counts: { stored, reinforced, replayed } }) =>
    `${stored} remembered, ${reinforced} known already, ${replayed} imported before`,
});

async function* readBatches(
  file: string,
  defaults: Defaults,
): AsyncGenerator<readonly IngestItemShape[]> {
  const handle = await open(file).catch(() => {
    throw parseError(`${file} can't be read`, { target: COMMAND });
  });
  try {
    let items: IngestItemShape[] = [];
    let chars = 0;
    let number = 0;
    for await (const line of handle.readLines()) {
      number += 1;
      if (line.trim() === '') continue;
      const isFull = items.length >= MAX_BATCH_ITEMS || chars + line.length > MAX_BATCH_CHARS;
      if (isFull && items.length > 0) {
        yield items;
        items = [];
        chars = 0;
      }
      items.push(parseLine(line, { file, number, defaults }));
      chars += line.length;
    }
    if (items.length > 0) yield items;
  } finally {
    await handle.close();
  }
}

interface Line {
  readonly file: string;
  readonly number: number;
  readonly defaults: Defaults;
}

function parseLine(line: string, { file, number, defaults }: Line): IngestItemShape {
  const value = parse(line);
  if (!isJsonObject(value) || typeof value['content'] !== 'string') {
    throw parseError(`line ${number} of ${file} is no object with a content`, {
      target: COMMAND,
      hint: 'lines before it are imported; those with a key may be imported again',
    });
  }
  const { content, metadata, priority_score, key } = value;
  return {
    content,
    metadata: { ...defaults, ...(isJsonObject(metadata) ? metadata : {}) },
    ...(typeof priority_score === 'number' ? { priority_score } : {}),
    ...(typeof key === 'string' ? { key } : {}),
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
