import { RuntimeError } from '../../../core/errors.ts';
import { plainStyle } from '../print/style.ts';
import type { ExecutedCommand } from './command-list.ts';
import type { CliContext } from './context.ts';
import { parseError } from './errors.ts';
import { explain } from './explain.ts';
import { parseRequest } from './parse-request.ts';

/** Executes a command line inside another command, for its text. */
export async function executeLine(
  argv: readonly string[],
  context: CliContext,
): Promise<ExecutedCommand> {
  const suggest = context.parts.findClosestName;
  const request = await parseRequest(argv, suggest);
  if (request.globals.root !== undefined) {
    throw parseError('option --root belongs to the outer command', { target: argv[0] ?? '' });
  }
  if (request.kind === 'help') {
    const help = await explain(request.words, suggest);
    return { fields: help.fields, failure: undefined, text: help.text(plainStyle) };
  }
  const { command, input } = request;
  if (command.ownsOutput) {
    throw parseError(`${request.entry.name} needs the standard streams for itself`, {
      target: request.entry.name,
    });
  }
  const executing = command.execute(input, context);
  const execution = await (command.handlesInterrupt
    ? executing
    : Promise.race([executing, untilAborted(context.signal)]));
  const { fields, failure } = execution;
  return { fields, failure, text: execution.text(plainStyle) };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new RuntimeError('cancelled', 'interrupted'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
