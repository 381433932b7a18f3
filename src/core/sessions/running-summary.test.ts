import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  digestMessage,
  EMPTY_SUMMARY,
  foldSummary,
  parseSummary,
  renderSummary,
} from './running-summary.ts';
import { message, toolMessage } from './test-history.ts';

const CAP = 1_400;

test('says who asked what, what tools did, what failed and how it was answered', () => {
  const said = [
    message({ content: 'make a\nDockerfile' }),
    toolMessage({ tool: 'fs.read', error: 'tool.input_invalid: none.txt does not exist' }),
    toolMessage({ tool: 'fs.list', summary: 'listed 2 entries', effect: 'read' }),
    toolMessage({
      tool: 'fs.write',
      summary: 'wrote 24 line(s) to Dockerfile',
      effect: 'write',
      traits: ['secret_data'],
    }),
    message({ role: 'assistant', content: `Done. ${'x'.repeat(200)}` }),
    message({ role: 'assistant', content: 'This request failed: no.', status: 'failed' }),
  ];

  const summary = foldSummary(EMPTY_SUMMARY, said.map(digestMessage), CAP);

  expect(renderSummary(summary)).toBe(
    [
      'Earlier in this conversation (6 messages, shortened):',
      'exposure: secret_data',
      '#1 user: make a Dockerfile',
      '#2 failed fs.read: tool.input_invalid: none.txt does not exist',
      '#3 tool fs.list: listed 2 entries',
      '#4 changed by fs.write: wrote 24 line(s) to Dockerfile',
      `#5 assistant: Done. ${'x'.repeat(100)}...`,
      '#6 failed run: This request failed: no.',
    ].join('\n'),
  );
});

test('forgets reading before changes, and never the first wish', () => {
  const digests = [
    digestMessage(message({ content: 'the goal' })),
    ...Array.from({ length: 30 }, (_, index) =>
      digestMessage(
        toolMessage(
          index % 2 === 0
            ? { tool: 'fs.read', summary: `read ${index}`, effect: 'read' }
            : { tool: 'fs.write', summary: `wrote ${index}`, effect: 'write' },
        ),
      ),
    ),
  ];

  const summary = foldSummary(EMPTY_SUMMARY, digests, 300);

  expect(renderSummary(summary)).toBe(
    [
      'Earlier in this conversation (31 messages, shortened):',
      '#1 user: the goal',
      '#23 changed by fs.write: wrote 21',
      '#25 changed by fs.write: wrote 23',
      '#27 changed by fs.write: wrote 25',
      '#29 changed by fs.write: wrote 27',
      '#30 tool fs.read: read 28',
      '#31 changed by fs.write: wrote 29',
    ].join('\n'),
  );
});

const messages = fc.array(
  fc.oneof(
    fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      content: fc.string({ unit: 'binary', maxLength: 300 }),
    }),
    fc.record({
      role: fc.constant('tool' as const),
      toolName: fc.string({ unit: 'binary', maxLength: 20 }),
      content: fc.record({
        summary: fc.string({ maxLength: 200 }),
        error: fc.string({ maxLength: 20 }),
        traits: fc.constantFrom([], ['untrusted_input' as const]),
      }),
    }),
  ),
  { maxLength: 60 },
);

test('comes out the same in however many steps it is made, and reads back as it was', () => {
  fc.assert(
    fc.property(messages, fc.nat(60), fc.integer({ min: 70, max: CAP }), (said, split, cap) => {
      const digests = said.map((one) => digestMessage(message(one)));
      const atOnce = foldSummary(EMPTY_SUMMARY, digests, cap);
      const first = foldSummary(EMPTY_SUMMARY, digests.slice(0, split), cap);
      const kept = split === 0 ? EMPTY_SUMMARY : parseSummary(renderSummary(first));
      const inSteps = foldSummary(kept, digests.slice(split), cap);

      expect(renderSummary(inSteps)).toBe(renderSummary(atOnce));
      expect(parseSummary(renderSummary(atOnce))).toEqual(atOnce);
      expect(atOnce.count).toBe(said.length);
      if (atOnce.lines.length > 1) {
        expect(Array.from(renderSummary(atOnce)).length).toBeLessThanOrEqual(cap);
      }
    }),
  );
});

test('a text of somebody else is no summary', () => {
  expect(parseSummary('something\nelse')).toEqual(EMPTY_SUMMARY);
});
