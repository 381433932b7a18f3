import type { ToldMessage } from '../../../core/sessions/continue-session.ts';
import type {
  Transcript,
  TranscriptMessage,
  TranscriptStore,
} from '../../../core/transcripts/transcript-store.ts';
import type { RunDetail, ToolResultShape } from '../../../operations/runs/run-shapes.ts';

/** A transcript is for reading: the whole output of a tool is in the run. */
const MAX_OUTPUT_CHARS = 4_000;
const MAX_INPUT_CHARS = 4_000;

/** What a completed turn adds to its transcript: the prompt once, what tools did, the answer. Texts as they are stored, redacted. */
function toTranscriptMessages(run: RunDetail): TranscriptMessage[] {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = run.usage;
  return [
    { role: 'user', blocks: [{ type: 'text', text: run.message }] },
    ...run.trace.tool_execution_results.flatMap(toToolMessages),
    {
      role: 'assistant',
      blocks: [{ type: 'text', text: run.output }],
      // The file's format has numbers only.
      usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 },
    },
  ];
}

function toToolMessages(result: ToolResultShape, index: number): TranscriptMessage[] {
  const { tool, tool_call_id: callId, error } = result;
  const id = callId === '' ? `call-${index + 1}` : callId;
  const isError = error !== '';
  return [
    {
      role: 'assistant',
      blocks: [
        {
          type: 'tool_use',
          id,
          name: tool,
          input: cut(JSON.stringify(result.arguments), MAX_INPUT_CHARS),
        },
      ],
    },
    {
      role: 'tool',
      blocks: [
        {
          type: 'tool_result',
          toolUseId: id,
          toolName: tool,
          output: cut(isError ? error : result.output, MAX_OUTPUT_CHARS),
          isError,
        },
      ],
    },
  ];
}

/** What the transcript says was said, without what tools did. */
export function toTold({ messages }: Transcript): ToldMessage[] {
  return messages.flatMap(({ role, blocks }) => {
    if (role !== 'user' && role !== 'assistant') return [];
    const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return texts.length === 0 ? [] : [{ role, content: texts.join('\n') }];
  });
}

export interface KeepTurn {
  readonly transcripts: TranscriptStore;
  readonly transcriptId: string;
  /** False for the first turn of a new conversation: until then there is no file. */
  readonly exists: boolean;
  readonly run: RunDetail;
}

export function keepTurn({
  transcripts,
  transcriptId: id,
  ...turn
}: KeepTurn): Promise<Transcript> {
  const messages = toTranscriptMessages(turn.run);
  if (turn.exists) return transcripts.append(id, messages);
  const { provider, model } = turn.run;
  const reference = provider && model ? { model: `${provider}/${model}` } : {};
  return transcripts.create({ id, messages, ...reference });
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const kept = Array.from(text.slice(0, maxChars)).join('').toWellFormed();
  return `${kept}… (${text.length - maxChars} more characters)`;
}
