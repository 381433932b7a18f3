import { expect, test } from 'vitest';
import type { ModelSpan, Span, ToolSpan } from './span.ts';
import { costOf, durationOf, waitedMs } from './span.ts';
import { answered, asked, BEGIN, call, type Draft, result, toEvents } from './test-events.ts';
import { createTimeline } from './timeline.ts';

const build = (drafts: readonly Draft[]) => createTimeline().add(toEvents(drafts));

/** From where to where, since the run was created. */
const stretches = ({ segments }: Span) =>
  segments.map(({ kind, fromMs, toMs }) => [
    kind,
    fromMs - BEGIN,
    toMs === undefined ? undefined : toMs - BEGIN,
  ]);

const toolNamed = (spans: readonly Span[], id: string) =>
  spans.find((span): span is ToolSpan => span.kind === 'tool' && span.callId === id);

const turnOf = (spans: readonly Span[], turn: number) =>
  spans.find((span): span is ModelSpan => span.kind === 'model' && span.turn === turn);

test('shows turns and their calls in order, each call under the turn that asked for it', () => {
  const { spans, bands, startMs, endMs, outcome } = build([
    [0, 'run.created', { message: 'go' }],
    [200, 'run.started'],
    [210, 'model.requested', asked(1)],
    [500, 'model.delta', { turn: 1, attempt: 1, text: 'I ' }],
    [550, 'model.delta', { turn: 1, attempt: 1, text: 'look.' }],
    [600, 'model.completed', { ...answered(1, [['c1', 'fs.read']]), text: 'I look.' }],
    [600, 'tool.call', call('c1')],
    [700, 'tool.result', result('c1', { duration_ms: 90 })],
    [700, 'model.requested', asked(2)],
    [900, 'model.completed', answered(2)],
    [900, 'run.completed', { status: 'completed', stop_reason: 'completed', output: 'Done.' }],
  ]);

  expect(spans.map(({ id, kind, state }) => [id, kind, state])).toEqual([
    ['turn-1', 'model', 'done'],
    ['call-6-c1', 'tool', 'done'],
    ['turn-2', 'model', 'done'],
  ]);
  expect(toolNamed(spans, 'c1')).toMatchObject({
    parentId: 'turn-1',
    input: { path: 'a.txt' },
    effect: 'read',
    durationMs: 90,
    firstSeq: 7,
    lastSeq: 8,
  });
  const first = spans[0] as ModelSpan;
  expect(first).toMatchObject({
    model: 'anthropic/claude',
    text: 'I look.',
    toolsOffered: 29,
    toolNames: [],
    firstWordsMs: 290,
    durationMs: 400,
    usage: { inputTokens: 100, outputTokens: 10, cachedInputTokens: 80 },
    calls: [{ callId: 'c1', tool: 'fs.read' }],
  });
  expect(stretches(first)).toEqual([
    ['work', 210, 500],
    ['words', 500, 600],
  ]);
  expect(bands).toEqual([{ kind: 'queued', fromMs: BEGIN, toMs: BEGIN + 200 }]);
  expect([startMs, endMs]).toEqual([BEGIN, BEGIN + 900]);
  expect(outcome).toMatchObject({ status: 'completed', output: 'Done.' });
});

test('tells parallel calls apart by how long each took, though their results came together', () => {
  const { spans } = build([
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [
      100,
      'model.completed',
      answered(1, [
        ['a', 'fs.read'],
        ['b', 'fs.list'],
        ['c', 'fs.glob'],
      ]),
    ],
    [100, 'tool.call', call('a')],
    [100, 'tool.call', call('b', 'fs.list')],
    [100, 'tool.call', call('c', 'fs.glob')],
    [500, 'tool.result', result('a', { duration_ms: 50 })],
    [500, 'tool.result', result('b', { duration_ms: 400 })],
    [500, 'tool.result', result('c', { duration_ms: 900 })],
  ]);

  expect(['a', 'b', 'c'].map((id) => stretches(toolNamed(spans, id) as Span))).toEqual([
    [['work', 100, 150]],
    [['work', 100, 500]],
    [['work', 100, 500]],
  ]);
});

test('shows calls that have not begun, and those that the run ended before', () => {
  const drafts: Draft[] = [
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [
      100,
      'model.completed',
      answered(1, [
        ['a', 'fs.write'],
        ['b', 'fs.write'],
      ]),
    ],
    [100, 'tool.call', call('a', 'fs.write')],
  ];

  const open = build(drafts);
  const ended = build([...drafts, [300, 'run.cancelled', { status: 'cancelled' }]]);

  expect(open.spans.map(({ state }) => state)).toEqual(['done', 'running', 'asked']);
  expect(stretches(toolNamed(open.spans, 'a') as Span)).toEqual([['work', 100, undefined]]);
  expect(durationOf(toolNamed(open.spans, 'a') as Span, BEGIN + 250)).toBe(150);
  expect(durationOf(toolNamed(open.spans, 'b') as Span, BEGIN + 250)).toBeUndefined();
  expect(ended.spans.map(({ state }) => state)).toEqual(['done', 'interrupted', 'skipped']);
  expect(stretches(toolNamed(ended.spans, 'a') as Span)).toEqual([['work', 100, 300]]);
});

test('shows the attempts of a turn, the wait between them, and what all of them cost', () => {
  const { spans } = build([
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [80, 'model.delta', { turn: 1, attempt: 1, text: 'half an ans' }],
    [
      100,
      'model.failed',
      {
        turn: 1,
        attempt: 1,
        error: { code: 'provider_failed', message: 'overloaded', retryable: true },
        usage: { input_tokens: 5, output_tokens: 1 },
        cost_usd: 0.002,
      },
    ],
    [1_100, 'model.requested', asked(1, 2)],
    [1_300, 'model.delta', { turn: 1, attempt: 2, text: 'Done.' }],
    [1_500, 'model.completed', { ...answered(1), attempts: 2 }],
  ]);

  const turn = turnOf(spans, 1) as ModelSpan;
  expect(stretches(turn)).toEqual([
    ['failed', 0, 100],
    ['wait', 100, 1_100],
    ['work', 1_100, 1_300],
    ['words', 1_300, 1_500],
  ]);
  expect(turn.attempts.map(({ state, error }) => [state, error?.message])).toEqual([
    ['failed', 'overloaded'],
    ['answered', undefined],
  ]);
  expect(turn).toMatchObject({ state: 'done', text: 'Done.', firstWordsMs: 200 });
  expect(costOf(turn)).toBeCloseTo(0.012);
});

test('takes a question that was cancelled for no fault', () => {
  const { spans } = build([
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [10, 'model.delta', { turn: 1, attempt: 1, text: 'Hm' }],
    [20, 'run.cancel_requested', { reason: 'enough' }],
    [
      30,
      'model.failed',
      { turn: 1, error: { code: 'cancelled', message: 'enough' }, cost_usd: null },
    ],
    [30, 'run.cancelled', { status: 'cancelled' }],
  ]);

  expect(turnOf(spans, 1)).toMatchObject({ state: 'interrupted', text: 'Hm' });
  expect(stretches(turnOf(spans, 1) as Span)).toEqual([['work', 0, 30]]);
  expect(costOf(turnOf(spans, 1) as ModelSpan)).toBeNull();
});

test('does not call a cost known of which a part is not', () => {
  const { spans } = build([
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [10, 'model.failed', { turn: 1, error: { code: 'x', message: 'y' }, cost_usd: null }],
    [20, 'model.requested', asked(1, 2)],
    [30, 'model.completed', answered(1)],
  ]);

  const { spans: unpriced } = build([
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [30, 'model.completed', { ...answered(1), cost_usd: null }],
  ]);

  expect(costOf(turnOf(spans, 1) as ModelSpan)).toBeNull();
  expect(costOf(turnOf(unpriced, 1) as ModelSpan)).toBeNull();
});

test('shows the wait for an approval as waiting, and who ended it', () => {
  const decision = { approval_id: 'apr_1', tool_call_id: 'c1', request_id: 'req_c1' };
  const drafts: Draft[] = [
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [100, 'model.completed', answered(1, [['c1', 'fs.write']])],
    [100, 'tool.call', call('c1', 'fs.write')],
    [120, 'policy.decision', { ...decision, decision: 'ask', message: 'writes a file' }],
  ];

  const waiting = toolNamed(build(drafts).spans, 'c1') as ToolSpan;
  const done = toolNamed(
    build([
      ...drafts,
      [
        60_120,
        'policy.decision',
        { ...decision, decision: 'allow', status: 'approved', by: 'operator', note: 'fine' },
      ],
      [60_200, 'tool.result', result('c1', { duration_ms: 70 })],
    ]).spans,
    'c1',
  ) as ToolSpan;

  expect(waiting.state).toBe('waiting');
  expect(waiting.approval).toMatchObject({ id: 'apr_1', reason: 'writes a file' });
  expect(waitedMs(waiting, BEGIN + 5_120)).toBe(5_000);
  expect(stretches(done)).toEqual([
    ['work', 100, 120],
    ['wait', 120, 60_130],
    ['work', 60_130, 60_200],
  ]);
  expect(done.approval?.answer).toEqual({
    status: 'approved',
    by: 'operator',
    note: 'fine',
    atMs: BEGIN + 60_120,
  });
});

test('keeps why policy refused a call', () => {
  const { spans } = build([
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [1, 'model.completed', answered(1, [['c1', 'shell.exec']])],
    [1, 'tool.call', call('c1', 'shell.exec')],
    [2, 'policy.decision', { ...call('c1'), decision: 'deny', message: 'no capability' }],
    [
      2,
      'tool.result',
      result('c1', { ok: false, error: { code: 'policy.denied', message: 'no capability' } }),
    ],
  ]);

  expect(toolNamed(spans, 'c1')).toMatchObject({ state: 'failed', refusal: 'no capability' });
});

test('leaves a gap where a crash was, in the turn that was interrupted and in the run', () => {
  const { spans, bands, marks } = build([
    [0, 'run.created'],
    [0, 'run.started'],
    [0, 'model.requested', asked(1)],
    [50, 'model.delta', { turn: 1, attempt: 1, text: 'Hal' }],
    [5_050, 'run.recovered', { owner: 'server:2' }],
    [5_060, 'model.requested', asked(1)],
    [5_200, 'model.completed', answered(1)],
  ]);

  const turn = turnOf(spans, 1) as ModelSpan;
  expect(stretches(turn)).toEqual([
    ['work', 0, 50],
    ['words', 50, 50],
    ['gap', 50, 5_060],
    ['work', 5_060, 5_200],
  ]);
  expect(turn.attempts.map(({ state }) => state)).toEqual(['interrupted', 'answered']);
  expect(bands).toEqual([{ kind: 'gap', fromMs: BEGIN + 50, toMs: BEGIN + 5_050 }]);
  expect(marks).toMatchObject([{ kind: 'resumed', atMs: BEGIN + 5_050, seq: 5 }]);
});

test('goes on with a call that a crash left open', () => {
  const { spans } = build([
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [10, 'model.completed', answered(1, [['c1', 'http.request']])],
    [10, 'tool.call', call('c1', 'http.request')],
    [9_000, 'run.recovered'],
    [9_050, 'tool.result', result('c1', { duration_ms: 40 })],
  ]);

  const open = toolNamed(spans, 'c1') as ToolSpan;
  expect(stretches(open)).toEqual([
    ['work', 10, 10],
    ['gap', 10, 9_000],
    ['work', 9_000, 9_050],
  ]);
  expect(open).toMatchObject({ state: 'done', resumptions: 1 });
});

test('shows calls without a turn, of an agent elsewhere, and the runs that a result names', () => {
  const other = 'run_01jv8z9d3m2x4n6p8r0t2v4w6y';
  const { spans } = build([
    [0, 'run.created', { message: '/tool time.now {}' }],
    [1, 'tool.call', call('direct', 'time.now')],
    [2, 'tool.result', result('direct', { duration_ms: 1 })],
    [3, 'model.requested', asked(1)],
    [4, 'tool.call', { ...call('remote', 'exec'), origin: 'openclaw' }],
    [5, 'tool.result', { ...result('remote'), output: { handoff: { run_id: other } } }],
    [6, 'agent.noted', { turn: 1, kind: 'thought', text: 'hm' }],
    [7, 'tool.call', { ...call('mine', 'http.request'), origin: 'tools_execute' }],
  ]);

  expect(
    spans.flatMap((span) =>
      span.kind === 'tool' ? [[span.callId, span.parentId, span.runIds]] : [],
    ),
  ).toEqual([
    ['direct', undefined, []],
    ['remote', 'turn-1', [other]],
    ['mine', undefined, []],
  ]);
  expect(turnOf(spans, 1)?.notes).toEqual([{ kind: 'thought', text: 'hm' }]);
});

test('rests between an answer and the next input of a run that stays open', () => {
  const { bands, marks } = build([
    [0, 'run.created', { thread_id: 't' }],
    [10, 'frame.accepted', { type: 'user_message' }],
    [10, 'run.started'],
    [20, 'model.requested', asked(1)],
    [30, 'model.completed', answered(1)],
    [8_030, 'frame.accepted', { type: 'user_message' }],
  ]);

  expect(bands.filter(({ kind }) => kind === 'rest')).toEqual([
    { kind: 'rest', fromMs: BEGIN, toMs: BEGIN + 10 },
    { kind: 'rest', fromMs: BEGIN + 30, toMs: BEGIN + 8_030 },
  ]);
  expect(marks.map(({ kind }) => kind)).toEqual(['input', 'input']);
});

test('shows nothing twice when events come again, and the same whether they come at once or singly', () => {
  const events = toEvents([
    [0, 'run.created'],
    [0, 'model.requested', asked(1)],
    [5, 'model.delta', { turn: 1, attempt: 1, text: 'Hel' }],
    [6, 'model.delta', { turn: 1, attempt: 1, text: 'lo' }],
    [10, 'model.completed', answered(1, [['c1', 'fs.read']])],
    [10, 'tool.call', call('c1')],
    [12, 'tool.result', result('c1', { duration_ms: 2 })],
  ]);
  const singly = createTimeline();
  for (const at of events.keys()) singly.add(events.slice(0, at + 1));

  const whole = createTimeline().add(events);

  expect(singly.add(events)).toEqual(whole);
  expect(createTimeline().add(events.slice(0, 4)).spans[0]).toMatchObject({ text: 'Hello' });
});

test('goes through a hundred thousand events while one looks', () => {
  const drafts: Draft[] = [[0, 'run.created']];
  for (let turn = 1; drafts.length < 100_000; turn += 1) {
    drafts.push([turn, 'model.requested', asked(turn)]);
    for (let at = 0; at < 195; at += 1)
      drafts.push([turn, 'model.delta', { turn, attempt: 1, text: 'word ' }]);
    drafts.push([turn, 'model.completed', answered(turn, [[`c${turn}`, 'fs.read']])]);
    drafts.push([turn, 'tool.call', call(`c${turn}`)]);
    drafts.push([turn, 'tool.result', result(`c${turn}`, { duration_ms: 1 })]);
  }
  const events = toEvents(drafts);

  const startedAt = performance.now();
  const { spans } = createTimeline().add(events);

  expect(spans.length).toBeGreaterThan(1_000);
  // Quadratic work would take minutes; this takes a fifth of a second on an idle machine.
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test('knows which tools were offered from where they changed last', () => {
  const { spans } = build([
    [0, 'run.created'],
    [0, 'model.requested', { ...asked(1), tool_names: 'fs.read fs.write' }],
    [1, 'model.completed', answered(1)],
    [1, 'model.requested', asked(2)],
    [2, 'model.completed', answered(2)],
    [2, 'model.requested', { ...asked(3), tool_names: '' }],
  ]);

  expect(spans.map((span) => (span as ModelSpan).toolNames)).toEqual([
    ['fs.read', 'fs.write'],
    ['fs.read', 'fs.write'],
    [],
  ]);
});
