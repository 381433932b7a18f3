import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import type { ArtifactStore } from '../../core/tools/artifact-store.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';

const DEFAULT_BYTES = 12_000;
const MAX_BYTES = 48_000;

const input = z.strictObject({
  artifact: z.string().min(1).max(512).describe('The artifact as a truncated output named it.'),
  offset: z.int().min(0).default(0).describe('Where to begin, in bytes.'),
  max_bytes: z.int().min(1).max(MAX_BYTES).default(DEFAULT_BYTES).describe('How much to read.'),
});

interface Piece {
  readonly artifact: string;
  readonly content: string;
  readonly total_bytes: number;
  /** Absent at the end. */
  readonly next_offset?: number;
}

/** Lets a model page through an output that was too large for its context: of its own run, and no other. */
export function createArtifactRead(artifacts: Pick<ArtifactStore, 'read'>): Tool {
  return defineTool<z.infer<typeof input>, Piece>({
    name: 'artifact.read',
    description:
      'Read on in an output that was too large to be shown whole. Begin at offset 0 and go on with next_offset.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/runs/artifact-read.ts',
    input,
    summarize: ({ artifact, offset }, { content }) =>
      `read ${content.length} characters of ${artifact} from ${offset}`,

    async execute({ artifact, offset, max_bytes: maxBytes }, { runId, agentId }) {
      const piece = await artifacts.read({ runId, agentId, path: artifact, offset, maxBytes });
      return {
        artifact,
        content: piece.text,
        total_bytes: piece.totalBytes,
        ...defined({ next_offset: piece.nextOffset }),
      };
    },
  });
}
