import { useLocation, useRoute } from 'wouter';
import { useExactParams } from '../../kit/use-exact-params.ts';
import { isKind, type NodeKind } from './graph/kinds.ts';

const TABS = ['graph', 'feed', 'facts'] as const;
export type KnowledgeTab = (typeof TABS)[number];

/** What is looked at, as the address says it. */
export interface KnowledgeAddress {
  readonly tab: KnowledgeTab;
  /** Empty: the one that was active last. */
  readonly project: string;
  /** Through the eyes of this agent; empty: nobody's in particular. */
  readonly as: string;
  readonly node: string | undefined;
  readonly hidden: ReadonlySet<NodeKind>;
  /** What nodes are looked for by. */
  readonly find: string;
  /** In facts. */
  readonly q: string;
  readonly withPast: boolean;
  readonly openTab: (tab: string) => void;
  /** An empty value takes one away. `leavesTrail`: Back leads to what was before. */
  readonly change: (part: KnowledgePart, leavesTrail?: boolean) => void;
}

type KnowledgePart = Readonly<Record<string, string | undefined>>;

export function useKnowledgeAddress(): KnowledgeAddress {
  const [, place] = useRoute('/knowledge/:tab?');
  const [, navigate] = useLocation();
  const [params, changeParams] = useExactParams();
  const tab = TABS.find((one) => one === place?.tab) ?? 'graph';
  const hidden = (params.get('hide') ?? '').split(',').filter(isKind);
  return {
    tab,
    project: params.get('project') ?? '',
    as: params.get('as') ?? '',
    node: params.get('node') ?? undefined,
    hidden: new Set(hidden),
    find: params.get('find') ?? '',
    q: params.get('q') ?? '',
    withPast: params.get('past') === 'true',
    openTab: (next) => navigate(`/knowledge/${next}?${params}`),
    change: (part, leavesTrail = false) => changeParams(part, { replace: !leavesTrail }),
  };
}
