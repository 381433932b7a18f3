import { expect } from 'vitest';
import { type AgentId, DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import { GUEST, OWNERS, type PrincipalRig, USER } from './principal-rig.ts';

const ALL = { [OPERATOR]: OWNERS, [USER]: [USER], [GUEST]: [GUEST] };
const OWN_ALONE = { [OPERATOR]: [OPERATOR], [USER]: [USER], [GUEST]: [GUEST] };
const OWN_AND_SHARED = {
  // What others wrote stays out of the operator's prompts.
  [OPERATOR]: [OPERATOR],
  [USER]: [OPERATOR, USER],
  [GUEST]: [OPERATOR, GUEST],
};
const NOBODYS = { [OPERATOR]: [], [USER]: [], [GUEST]: [] };

interface Row {
  /** Owners whose things each may see or change through the tool. */
  readonly expected: Readonly<Record<string, readonly string[]>>;
  readonly sees: (rig: PrincipalRig, viewer: string) => Promise<readonly string[]>;
}

/** A tool that shows and changes nothing that is anybody's: it is enough that it works for all. */
const harmless = (tool: string, input: JsonObject = {}): Row => ({
  expected: NOBODYS,
  async sees({ call }, viewer) {
    expect(await call(viewer, tool, input)).toHaveProperty('output');
    return [];
  },
});

/** A tool that does not know whom it works for: runs for others may not use it. */
const operatorsOwn = (tool: string): Row => ({
  expected: { [OPERATOR]: OWNERS, [USER]: [], [GUEST]: [] },
  async sees({ runtime }, viewer) {
    const found = runtime.registry.find(tool);
    return found && runtime.isGranted(DEFAULT_AGENT_ID, found, viewer) ? OWNERS : [];
  },
});

const byRun = (tool: string): Row => ({
  expected: ALL,
  sees: ({ seen, runs }, viewer) =>
    seen(viewer, tool, (owner) => ({ run_id: runs.get(owner) ?? '' })),
});

const byJob = (tool: string): Row => ({
  expected: ALL,
  async sees({ seen, call }, viewer) {
    const idOf = (owner: string) => `${tool}_${OWNERS.indexOf(viewer)}_${OWNERS.indexOf(owner)}`;
    for (const owner of OWNERS) {
      const job = { schedule: '@every 1h', message: 'look', id: idOf(owner).replaceAll('.', '_') };
      await call(owner, 'scheduler.add', job);
    }
    return seen(viewer, tool, (owner) => ({ id: idOf(owner).replaceAll('.', '_') }));
  },
});

/** Whatever way a path is written, a file is reached by those who may. */
const byFile = (tool: string, toInput: (path: string) => JsonObject): Row => ({
  expected: ALL,
  async sees({ put, call, pathsOf, text }, viewer) {
    const found: string[] = [];
    const name = `${tool}-${OWNERS.indexOf(viewer)}.txt`;
    for (const owner of OWNERS) await put(owner, name, `of ${owner}`);
    for (const owner of OWNERS) {
      let reached = false;
      for (const path of pathsOf(owner, name)) {
        const { output } = await call(viewer, tool, toInput(path));
        const wasRead = JSON.stringify(output ?? {}).includes(
          JSON.stringify(`of ${owner}`).slice(1, -1),
        );
        const hasChanged = (await text(owner, name)) !== `of ${owner}`;
        if (wasRead || hasChanged) reached = true;
        await put(owner, name, `of ${owner}`);
      }
      if (reached) found.push(owner);
    }
    return found;
  },
});

/** Markers of all lie in the workspace; a search from the top finds those that are the viewer's. */
const bySearch = (tool: string, input: JsonObject): Row => ({
  expected: ALL,
  async sees({ put, call }, viewer) {
    for (const owner of OWNERS) await put(owner, `marker${OWNERS.indexOf(owner)}.md`, 'find me');
    const { output } = await call(viewer, tool, input);
    const text = JSON.stringify(output);
    return OWNERS.filter((owner) => text.includes(`marker${OWNERS.indexOf(owner)}.md`));
  },
});

/** Every tool: what a user, a guest and the operator may see and change through it. */
export const TABLE: Readonly<Record<string, Row>> = {
  'fs.read': byFile('fs.read', (path) => ({ path })),
  'fs.write': byFile('fs.write', (path) => ({ path, content: 'changed' })),
  'fs.append': byFile('fs.append', (path) => ({ path, content: 'more' })),
  'fs.edit': byFile('fs.edit', (path) => ({ path, old: 'of ', new: 'changed ' })),
  'fs.delete': byFile('fs.delete', (path) => ({ path })),
  'fs.move': byFile('fs.move', (path) => ({ src: path, dst: `moved-${Math.random()}.txt` })),
  'fs.list': {
    expected: ALL,
    async sees({ put, call, pathsOf }, viewer) {
      const found: string[] = [];
      for (const owner of OWNERS) {
        const name = `listed${OWNERS.indexOf(owner)}`;
        await put(owner, `${name}/inside-${name}.txt`, '');
        const outcomes = [];
        for (const path of pathsOf(owner, name))
          outcomes.push(await call(viewer, 'fs.list', { path }));
        if (JSON.stringify(outcomes).includes(`inside-${name}.txt`)) found.push(owner);
      }
      return found;
    },
  },
  'fs.glob': bySearch('fs.glob', { pattern: '**/marker*.md' }),
  'code.search': bySearch('code.search', { pattern: 'find me' }),
  'artifact.read': {
    // Only the run that made an artifact reads it, whoever it acts for.
    expected: NOBODYS,
    sees: ({ seen, runs }, viewer) =>
      seen(viewer, 'artifact.read', (owner) => ({
        artifact: `.openclawssy/agents/${DEFAULT_AGENT_ID}/runs/${runs.get(owner)}/artifacts/x.txt`,
      })),
  },
  'time.now': harmless('time.now'),
  'decision.log': harmless('decision.log', { title: 'a', content: 'b' }),
  'agent.list': harmless('agent.list'),
  'run.get': byRun('run.get'),
  'run.cancel': byRun('run.cancel'),
  'run.list': {
    expected: ALL,
    async sees({ call, runs }, viewer) {
      const text = JSON.stringify(await call(viewer, 'run.list', { limit: 200 }));
      for (const [owner, before] of runs) {
        const page = await call(viewer, 'run.list', { before });
        expect(page.code === undefined).toBe(viewer === OPERATOR || viewer === owner);
      }
      return OWNERS.filter((owner) => text.includes(String(runs.get(owner))));
    },
  },
  'metrics.get': {
    expected: ALL,
    async sees({ call, runtime }, viewer) {
      const { output } = await call(viewer, 'metrics.get', { limit: 1_000 });
      const { runs } = await runtime.storage.runs.list({ limit: 500 });
      const visible = ALL[viewer] ?? [];
      const counted = runs.filter(({ owner }) => visible.includes(owner)).length;
      expect(output).toMatchObject({ runs: { total: counted } });
      return visible;
    },
  },
  'session.list': {
    expected: ALL,
    async sees({ call, sessions }, viewer) {
      const text = JSON.stringify(await call(viewer, 'session.list', { include_closed: true }));
      return OWNERS.filter((owner) => text.includes(String(sessions.get(owner))));
    },
  },
  'agent.message.send': {
    expected: OWN_ALONE,
    async sees({ call, runtime }, viewer) {
      const sent = { to_agent_id: DEFAULT_AGENT_ID, message: `send by ${viewer}` };
      await call(viewer, 'agent.message.send', sent);
      const all = await runtime.mailbox.list({ agentId: DEFAULT_AGENT_ID, limit: 100 });
      return all.filter(({ body }) => body === sent.message).map(({ owner }) => owner);
    },
  },
  'agent.message.inbox': {
    expected: OWN_ALONE,
    async sees({ call }, viewer) {
      for (const owner of OWNERS) {
        const mail = { to_agent_id: DEFAULT_AGENT_ID, message: `from ${owner}` };
        await call(owner, 'agent.message.send', mail);
      }
      const text = JSON.stringify(await call(viewer, 'agent.message.inbox', { limit: 50 }));
      return OWNERS.filter((owner) => text.includes(`from ${owner}`));
    },
  },
  'agent.handoff': {
    // Handed over for whom the call is made, and the receiver's run acts for the same.
    expected: OWN_ALONE,
    async sees({ call, runtime }, viewer) {
      const id = 'agent_other' as AgentId;
      const texts = { name: 'Other', role: '', model: undefined, instructions: '' };
      await runtime.storage.agents.ensure({ id, ...texts });
      const work = { to_agent_id: id, content: `work of ${viewer}` };
      expect(await call(viewer, 'agent.handoff', work)).toHaveProperty('output');
      const all = await runtime.storage.handoffs.list({ limit: 100 });
      const given = all.filter(({ content }) => content === work.content);
      for (const { runId } of given) {
        const owner = async () => (await runtime.storage.runs.find(runId))?.owner;
        await expect.poll(owner, { timeout: 20_000 }).toBe(viewer);
      }
      return given.map(({ owner }) => owner);
    },
  },
  'knowledge.add': {
    expected: OWN_ALONE,
    async sees({ call, runtime }, viewer) {
      const fact = { subject: `added by ${viewer}`, relation: 'is', object: 'so' };
      await call(viewer, 'knowledge.add', fact);
      const filter = { readerId: undefined, isOwnOnly: false, limit: 100, subject: fact.subject };
      const found = await Promise.all(
        OWNERS.map((owner) => runtime.storage.facts.list({ ...filter, owner })),
      );
      return found.flat().map(({ owner }) => owner);
    },
  },
  'knowledge.find': {
    // What others put on record stays out of the operator's prompts.
    expected: OWN_ALONE,
    async sees({ call }, viewer) {
      for (const owner of OWNERS) {
        const fact = { subject: `found of ${owner}`, relation: 'is', object: 'so' };
        await call(owner, 'knowledge.add', fact);
      }
      const text = JSON.stringify(await call(viewer, 'knowledge.find', { limit: 100 }));
      return OWNERS.filter((owner) => text.includes(JSON.stringify(owner).slice(1, -1)));
    },
  },
  'scheduler.add': {
    // Told is only whose session one sees; and what is made belongs to whom it is made for.
    expected: ALL,
    async sees({ seen, call, sessions, runtime }, viewer) {
      const id = `added_${OWNERS.indexOf(viewer)}`;
      const job = { schedule: '@every 1h', message: 'look', notify: { channel: 'none' } };
      const { output } = await call(viewer, 'scheduler.add', { ...job, id });
      expect(output).toMatchObject({ added: true });
      expect((await runtime.jobs.get(id)).owner).toBe(viewer);
      const { code } = await call(viewer === USER ? GUEST : USER, 'scheduler.add', { ...job, id });
      expect(code).toBe('conflict');
      return seen(viewer, 'scheduler.add', (owner) => ({
        ...{ schedule: '@every 1h', message: 'look' },
        session_id: sessions.get(owner) ?? '',
      }));
    },
  },
  'scheduler.list': {
    expected: ALL,
    async sees({ call }, viewer) {
      const idOf = (owner: string) => `listed_${OWNERS.indexOf(owner)}`;
      for (const owner of OWNERS) {
        const job = { schedule: '@every 1h', message: 'look', id: idOf(owner) };
        await call(owner, 'scheduler.add', job);
      }
      const text = JSON.stringify(await call(viewer, 'scheduler.list', { limit: 200 }));
      return OWNERS.filter((owner) => text.includes(idOf(owner)));
    },
  },
  'scheduler.pause': byJob('scheduler.pause'),
  'scheduler.resume': byJob('scheduler.resume'),
  'scheduler.remove': {
    expected: ALL,
    async sees({ call, runtime }, viewer) {
      const found: string[] = [];
      for (const owner of OWNERS) {
        const id = `removed_${OWNERS.indexOf(viewer)}_${OWNERS.indexOf(owner)}`;
        await call(owner, 'scheduler.add', { schedule: '@every 1h', message: 'look', id });
        const { output } = await call(viewer, 'scheduler.remove', { id });
        if (output?.['removed'] === true) found.push(owner);
        const isThere = await runtime.jobs.get(id).then(
          () => true,
          () => false,
        );
        expect(isThere).toBe(output?.['removed'] !== true);
      }
      return found;
    },
  },
  'secrets.list': {
    expected: { [OPERATOR]: [OPERATOR], [USER]: [], [GUEST]: [] },
    async sees({ call }, viewer) {
      const { output } = await call(viewer, 'secrets.list');
      const keys = output?.['keys'];
      expect(keys).toEqual(viewer === OPERATOR ? ['ops/token', 'shared/token'] : ['shared/token']);
      return viewer === OPERATOR ? [OPERATOR] : [];
    },
  },
  'http.request': {
    // A header may name a secret: the operator's alone, unless it is shared.
    expected: { [OPERATOR]: [OPERATOR], [USER]: [], [GUEST]: [] },
    async sees({ call }, viewer) {
      const send = (name: string) =>
        call(viewer, 'http.request', {
          url: 'http://127.0.0.1:1/',
          headers: { authorization: `Bearer {{secret:${name}}}` },
        });
      const [shared, own] = [await send('shared/token'), await send('ops/token')];
      const isMissing = (outcome: typeof own) => outcome.message?.includes('does not exist');
      expect(isMissing(shared)).toBe(false);
      return isMissing(own) ? [] : [OPERATOR];
    },
  },
  'skill.read': {
    expected: OWN_AND_SHARED,
    async sees({ seen, runtime }, viewer) {
      const { exchange, shelf } = runtime.skills;
      for (const owner of OWNERS) {
        const name = `skill-${OWNERS.indexOf(owner)}`;
        const text = `---\nname: ${name}\ndescription: Of ${OWNERS.indexOf(owner)}.\n---\nDo it.\n`;
        const files = [{ path: 'SKILL.md', content: text }];
        await exchange.publishFolder({ files, leftOut: [], exported: undefined }, { by: owner });
      }
      const lines = (await shelf.listForPrompt(viewer)).map(({ name }) => name);
      const found = await seen(viewer, 'skill.read', (owner) => ({
        name: `skill-${OWNERS.indexOf(owner)}`,
      }));
      expect(lines).toEqual(found.map((owner) => `skill-${OWNERS.indexOf(owner)}`));
      return found;
    },
  },
  'memory.write': {
    expected: OWN_ALONE,
    async sees({ call, runtime }, viewer) {
      const content = `written for ${viewer}`;
      await call(viewer, 'memory.write', { content });
      const { memories } = await runtime.memories.list({ limit: 100 });
      return memories.filter((one) => one.content === content).map(({ owner }) => owner);
    },
  },
  'memory.search': {
    expected: OWN_ALONE,
    async sees({ call }, viewer) {
      for (const owner of OWNERS)
        await call(owner, 'memory.write', { content: `marmalade of ${owner}` });
      const text = JSON.stringify(await call(viewer, 'memory.search', { query: 'marmalade' }));
      return OWNERS.filter((owner) => text.includes(`marmalade of ${owner}`));
    },
  },
  'memory.pin': {
    expected: OWN_ALONE,
    async sees({ seen, call }, viewer) {
      const ids = new Map<string, string>();
      for (const owner of OWNERS) {
        const { output } = await call(owner, 'memory.write', { content: `pin of ${owner}` });
        ids.set(owner, String(output?.['memory_id']));
      }
      return seen(viewer, 'memory.pin', (owner) => ({
        memory_id: ids.get(owner) ?? '',
        reason: 'matters',
      }));
    },
  },
  'shell.exec': {
    // Where commands run is tried with a real sandbox in principal-sandbox.test.ts; without one nobody runs any.
    expected: NOBODYS,
    async sees({ call }, viewer) {
      expect(await call(viewer, 'shell.exec', { command: 'ls' })).toMatchObject({
        code: 'sandbox_required',
      });
      return [];
    },
  },
  'github.get_issue': operatorsOwn('github.get_issue'),
  'github.get_pull_request': operatorsOwn('github.get_pull_request'),
  'github.add_issue_comment': operatorsOwn('github.add_issue_comment'),
  'resend.send_email': operatorsOwn('resend.send_email'),
  // Of an embedding program, or of an MCP server: neither says whom it serves.
  'plain.tool': operatorsOwn('plain.tool'),
  'probe.principal': harmless('probe.principal'),
  // Last: the others need sessions that are open.
  'session.close': {
    expected: ALL,
    sees: ({ seen, sessions }, viewer) =>
      seen(viewer, 'session.close', (owner) => ({ session_id: sessions.get(owner) ?? '' })),
  },
};
