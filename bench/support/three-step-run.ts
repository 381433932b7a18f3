import { encodeRequest, type HttpConnection } from './http-connection.ts';
import { TOKEN } from './server-process.ts';

const usage = { inputTokens: 400, outputTokens: 40 };

/** What the scripted model says and calls in a run of three tool steps. */
export const THREE_STEPS = [
  { text: 'First the time.', toolCalls: [{ tool: 'time.now' }], usage },
  { text: 'Then the files.', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }], usage },
  { text: 'And the time again.', toolCalls: [{ tool: 'time.now' }], usage },
  { text: 'Both are done: the time was read twice and the files were listed.', usage },
];

const post = encodeRequest({
  method: 'POST',
  path: '/v1/runs',
  token: TOKEN,
  body: JSON.stringify({ agent_id: 'agent_default', message: 'Tell me the time and the files.' }),
});

/**
 * Two requests: the run is accepted, then its events are followed to the one that holds the result. Answers how many
 * events there were.
 */
export async function makeThreeStepRun(connection: HttpConnection): Promise<number> {
  const accepted = await connection.send(post);
  const { id } = JSON.parse(accepted.body) as { id: string };
  const path = `/v1/runs/${id}/events`;
  const stream = await connection.send(encodeRequest({ method: 'GET', path, token: TOKEN }));
  if (!stream.body.includes('event_type":"run.completed"')) {
    throw new Error(`run ${id} did not complete: ${stream.status} ${stream.body.slice(-400)}`);
  }
  return stream.body.split('\ndata: ').length - 1;
}
