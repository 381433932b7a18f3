import { type ApprovalReader, createApprovalReader } from '../../core/approvals/approvals.ts';
import { answerApproval, type StandingAnswers } from '../../core/approvals/standing-answers.ts';
import { createEffectReader, type EffectReader } from '../../core/effects/effects.ts';
import type { AgentId, ApprovalId, RequestId } from '../../core/ids.ts';
import {
  encodeApproval,
  encodeApprovalPage,
  encodeCapabilities,
  encodeCircuit,
  encodeEffect,
  encodeEffectPage,
  encodeKeyPage,
  encodeReport,
  encodeTool,
  encodeToolList,
} from '../http/admin-codec.ts';
import { decodeApprovalQuery, decodeEffectQuery, decodeKeyQuery } from '../http/admin-queries.ts';
import type { AdminAccess, LedgerReader } from './admin-access.ts';
import type { AdminServices, ReadOnlyStore } from './context.ts';

/** Whoever has the state root may do everything with it; nothing more is known about them. */
const OPERATOR = 'operator';

/** In this process, on the store itself. */
export function createLocalAdmin(services: AdminServices): AdminAccess {
  const { effects, approvals, standing, toolAdmin, grants } = services;
  return {
    ...createReader(effects, approvals, standing),

    resolveEffect: async (id, resolution) =>
      encodeEffect(await effects.resolve(id as RequestId, { ...resolution, by: OPERATOR })),

    async decideApproval(id, decision) {
      const answer = { ...decision, by: OPERATOR };
      return encodeApproval(await answerApproval(services, id as ApprovalId, answer), standing);
    },

    listTools: async () => encodeToolList(await toolAdmin.list()),
    getTool: async (name) => encodeTool(await toolAdmin.get(name)),
    getCircuit: async (name) => encodeCircuit(await toolAdmin.get(name)),
    openCircuit: async (name) => encodeCircuit(await toolAdmin.openCircuit(name)),
    resetCircuit: async (name) => encodeCircuit(await toolAdmin.resetCircuit(name)),

    listKeys: async (name, query) =>
      encodeKeyPage(await toolAdmin.listKeys(name, decodeKeyQuery(query))),

    async flushKeys(name, key) {
      const { tool, flushed } = await toolAdmin.flushKeys(name, key);
      return { tool: tool.name, flushed };
    },

    getReport: async () => encodeReport(toolAdmin.report()),

    listCapabilities: async (agentId) => encodeCapabilities(await grants.list(agentId as AgentId)),

    async changeCapability(agentId, change) {
      const asked = { agentId: agentId as AgentId, by: OPERATOR, ...change };
      return encodeCapabilities(await grants.change(asked));
    },
  };
}

/** A state root that was never used has nothing to settle, which is no fault. */
export function createLocalLedger(store: ReadOnlyStore | undefined): LedgerReader {
  return createReader(
    createEffectReader(store?.effects ?? NO_EFFECTS),
    createApprovalReader(store?.approvals ?? NO_APPROVALS),
    NO_STANDING,
  );
}

function createReader(
  effects: EffectReader,
  approvals: ApprovalReader,
  standing: Pick<StandingAnswers, 'describe'>,
): LedgerReader {
  return {
    listEffects: async (query) => encodeEffectPage(await effects.list(decodeEffectQuery(query))),
    getEffect: async (id) => encodeEffect(await effects.get(id as RequestId)),
    listApprovals: async (query) =>
      encodeApprovalPage(await approvals.list(decodeApprovalQuery(query)), standing),
    getApproval: async (id) => encodeApproval(await approvals.get(id as ApprovalId), standing),
  };
}

/** Whoever only reads the database does not know the rules in force. */
const NO_STANDING = { describe: () => undefined };

const NO_APPROVALS = {
  find: async () => undefined,
  list: async () => ({ approvals: [], next: undefined }),
};

const NO_EFFECTS = {
  find: async () => undefined,
  list: async () => ({ effects: [], next: undefined }),
};
