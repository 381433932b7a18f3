import type { Agent, AgentStore } from '../agents/agent.ts';
import { RuntimeError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { canonicalJson } from '../json.ts';
import type { JobBounds } from '../schedule/job-store.ts';
import { findSigner, type SkillKeys } from '../skills/release-signature.ts';
import type { Releases } from '../skills/releases.ts';
import { type CheckedParcel, checkParcel, parseDocument } from './check-parcel.ts';
import { type ChooseAgentIdDeps, chooseAgentId } from './choose-agent-id.ts';
import { createCounter } from './count-rows.ts';
import {
  type ImportOptions,
  type ImportReport,
  type Need,
  REFUSALS,
  type Signer,
} from './import-report.ts';
import type { ImportStore, StagedImport } from './import-store.ts';
import type { ReceivedParcel } from './parcel-container.ts';
import { unfit } from './parcel-faults.ts';
import { AGENT_ENTRY, MANIFEST_ENTRY, type ParcelEntry, SOUL_ENTRY } from './parcel-format.ts';
import { type ParcelAgent, parcelAgent, parcelSoul } from './parcel-shapes.ts';
import {
  findAgentNeeds,
  findSkillNeeds,
  type PlanAgentDeps,
  type PlannedAgent,
  stageAgent,
  toImportedAgent,
} from './plan-import.ts';
import { createPrincipals } from './principals.ts';
import { createTakeRows } from './take-rows.ts';
import { createTakeSkills } from './take-skills.ts';

export interface ImportParcelDeps extends PlanAgentDeps {
  readonly store: ChooseAgentIdDeps;
  readonly agents: Pick<AgentStore, 'find' | 'list'>;
  readonly imports: ImportStore;
  readonly keys: SkillKeys;
  readonly releases: Pick<Releases, 'list' | 'examine' | 'find'>;
  readonly ids: Pick<Ids, 'session' | 'memory' | 'fact' | 'job'>;
  readonly jobBounds: (owner: string) => JobBounds;
  /** After the commit. */
  readonly onImported: (agent: Agent) => Promise<void>;
}

type Add = StagedImport['add'];

/** Reads it twice: first whether it is what was signed, then what it says. Nothing is stored before all of it is known. */
export async function importParcel(
  deps: ImportParcelDeps,
  received: ReceivedParcel,
  options: ImportOptions,
): Promise<ImportReport> {
  const checked = await checkParcel(received);
  const name = options.name?.trim() ?? '';
  const { id, isPresent } = await chooseAgentId(deps.store, { digest: checked.digest, name });
  const staged = await deps.imports.stage();
  try {
    // What is present is read like the rest, to tell what it brought.
    const isStored = !options.isPreview && !isPresent;
    const add: Add = isStored ? (step) => staged.add(step) : async () => {};
    const report = await plan(deps, { checked, received, options, id, isPresent, add });
    if (isPresent) return { ...report, outcome: 'present', needs: [] };
    if (options.isPreview) return report;
    assertMet(report.needs);
    return { ...report, outcome: await commit(deps, staged, report) };
  } finally {
    await staged.close();
  }
}

async function commit(
  deps: ImportParcelDeps,
  staged: StagedImport,
  { agent: { id } }: ImportReport,
): Promise<'imported' | 'present'> {
  try {
    await staged.commit();
  } catch (thrown) {
    // The same file was imported at the same time, and was first.
    const isTaken = thrown instanceof RuntimeError && thrown.code === 'conflict';
    if (isTaken && (await deps.agents.find(id))) return 'present';
    throw thrown;
  }
  const agent = await deps.agents.find(id);
  if (agent) await deps.onImported(agent);
  return 'imported';
}

interface Planning {
  readonly checked: CheckedParcel;
  readonly received: ReceivedParcel;
  readonly options: ImportOptions;
  readonly id: Agent['id'];
  readonly isPresent: boolean;
  readonly add: Add;
}

async function plan(deps: ImportParcelDeps, planning: Planning): Promise<ImportReport> {
  const { checked, received, options, id, isPresent, add } = planning;
  const entries = received.entries()[Symbol.asyncIterator]();
  const from = parseDocument(await next(entries), parcelAgent);
  assertSameAgent(from, checked);
  const soul = parseSoul(await next(entries));
  const agent = toImportedAgent(from, { id, name: options.name }, deps.redactor);
  const planned: PlannedAgent = { agent, soul, from, options };
  const signer = await toSigner(deps.keys, checked, options);
  const needs: Need[] = [
    ...findTrustNeeds(signer),
    ...(isPresent ? [] : await findAgentNeeds(deps, planned)),
  ];
  const capabilities = await stageAgent(deps, planned, add);
  const taken = await takeAll(deps, { planned, checked, entries, add });
  needs.push(...taken.needs);
  const { name, slug, role, model, skills, memoryAccess } = agent;
  return {
    outcome: 'preview',
    digest: checked.digest,
    signer,
    agent: { id, name, slug, role, model, skills, memoryAccess },
    creates: { ...taken.counts, capabilities },
    needs,
  };
}

interface Taking {
  readonly planned: PlannedAgent;
  readonly checked: CheckedParcel;
  readonly entries: AsyncIterator<ParcelEntry>;
  readonly add: Add;
}

/** All rows, as steps; what they need beside what the agent itself needs. */
async function takeAll(deps: ImportParcelDeps, { planned, checked, entries, add }: Taking) {
  const { agent, options, from } = planned;
  const counter = createCounter();
  const principals = createPrincipals(options);
  const needs: Need[] = [];
  const marks = { pinned: 0, untrusted: 0 };
  const skills = createTakeSkills({
    ...{ ...deps, counter, add, skills: agent.skills },
    trusted: options.trusted,
    isPreview: options.isPreview,
    note: (need) => needs.push(need),
  });
  const take = createTakeRows({
    ...{ ids: deps.ids, jobBounds: deps.jobBounds, counter, add, isTaken: principals.isTaken },
    ownership: { agentId: agent.id, agentName: agent.name, clean: deps.redactor },
    formerId: from.id,
    approvesPins: options.approvesPins,
    noteMemory({ pinned, isTrusted }) {
      if (pinned) marks.pinned += 1;
      if (!isTrusted) marks.untrusted += 1;
    },
    takeSkills: skills.take,
  });
  for (;;) {
    const entry = await next(entries);
    if (entry.name === MANIFEST_ENTRY) break;
    await take(entry);
  }
  needs.push(...(await findSkillNeeds(deps, agent.skills, skills.names)));
  needs.push(...principals.needs());
  if (marks.pinned > 0 && !options.approvesPins) needs.push(unpinned(marks.pinned));
  const { audit_events } = checked.manifest.counts;
  return { needs, counts: { ...counter.counts(), audit_events, ...marks } };
}

async function next(entries: AsyncIterator<ParcelEntry>): Promise<ParcelEntry> {
  const { value, done } = await entries.next();
  if (done) throw unfit('its end is missing');
  return value;
}

function assertSameAgent({ id, slug, name }: ParcelAgent, { manifest }: CheckedParcel): void {
  if (canonicalJson({ id, slug, name }) === canonicalJson(manifest.agent)) return;
  throw unfit(`${AGENT_ENTRY} is about another agent than its manifest`);
}

function parseSoul({ content }: ParcelEntry): string {
  try {
    return parcelSoul.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch (cause) {
    throw unfit(`${SOUL_ENTRY} is no text, or too long`, cause);
  }
}

async function toSigner(
  keys: SkillKeys,
  { signature }: CheckedParcel,
  { trusted }: ImportOptions,
): Promise<Signer> {
  const { key_id: keyId, public_key: publicKey } = signature;
  const given = trusted.includes(publicKey) ? 'given' : 'unknown';
  return { keyId, publicKey, trust: (await findSigner(publicKey, keys)) ?? given };
}

function findTrustNeeds({ trust, keyId, publicKey }: Signer): Need[] {
  if (trust !== 'unknown') return [];
  const message = `it is signed with key ${keyId}, which is not trusted here; if you trust its owner, --trust ${publicKey} takes it this once`;
  return [{ kind: 'trust', what: publicKey, isBlocking: true, message }];
}

function unpinned(count: number): Need {
  return {
    kind: 'pins',
    what: String(count),
    isBlocking: false,
    message: `${count} of its memories are pinned there and come in unpinned; --approve-pins keeps them pinned`,
  };
}

/** The first that is not met says why; a preview tells all of them. */
function assertMet(needs: readonly Need[]): void {
  const [first, ...others] = needs.filter(({ isBlocking }) => isBlocking);
  if (!first) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more: --preview lists them)`;
  throw new RuntimeError(REFUSALS[first.kind], `${first.message}${more}`, {
    details: { need: first.kind },
  });
}
