import { describe, expect, test } from 'vitest';
import type { AgentId } from '../../src/core/ids.ts';
import { AGENT, type OpenStorage, openRig } from './harness.ts';

const OTHER = 'agent_other' as AgentId;

export function describeCapabilityStore(engine: string, open: OpenStorage): void {
  describe(`CapabilityStore on ${engine}`, () => {
    test('lists nothing in an empty store', async () => {
      const { storage } = await openRig(open);

      expect(await storage.capabilities.list()).toEqual([]);
      expect(await storage.capabilities.list('agent\0' as AgentId)).toEqual([]);
    });

    test('lists changes by agent and tool, of one agent or of all, over a reopen', async () => {
      const { storage, reopen, clock } = await openRig(open);
      const change = (agentId: AgentId, tool: string) =>
        ({ agentId, tool, effect: 'grant', by: 'ada' }) as const;
      const tools = ['fs.*', 'a b', 'a', 'mcp__\u{1f980}\0'];
      for (const tool of tools) await storage.capabilities.set(change(OTHER, tool));
      await storage.capabilities.set(change(AGENT, 'shell.exec'));

      const { capabilities } = await reopen();

      const atMs = clock.nowMs();
      const ofOther = [...tools].sort().map((tool) => ({ ...change(OTHER, tool), atMs }));
      expect(await capabilities.list(OTHER)).toEqual(ofOther);
      expect(await capabilities.list()).toEqual([
        { ...change(AGENT, 'shell.exec'), atMs },
        ...ofOther,
      ]);
    });

    test('lets the last word count', async () => {
      const { storage, clock } = await openRig(open);
      const revoked = { agentId: AGENT, tool: 'fs.write', effect: 'revoke', by: 'ada' } as const;
      await storage.capabilities.set(revoked);
      clock.advance(1_000);

      await storage.capabilities.set({ ...revoked, effect: 'grant', by: 'bob\0' });

      expect(await storage.capabilities.list(AGENT)).toEqual([
        { ...revoked, effect: 'grant', by: 'bob\0', atMs: clock.nowMs() },
      ]);
    });

    test('keeps one change out of many concurrent ones', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).capabilities.set({
            agentId: AGENT,
            tool: 'fs.write',
            effect: index % 3 === 0 ? 'grant' : 'revoke',
            by: `person ${index}`,
          }),
        ),
      );

      expect(await storage.capabilities.list()).toHaveLength(1);
    });
  });
}
