import { BUILT_IN_MANIFESTS } from '../integrations/built-in-manifests.ts';
import type { ToolPack } from '../integrations/manifest.ts';
import type { JsonObject } from '../json.ts';
import type { SpecKind } from './skill-store.ts';

/** A spec that is there from the first start. A stored one of the same id and version takes its place. */
export interface BuiltInSpec {
  readonly kind: SpecKind;
  readonly id: string;
  readonly version: number;
  readonly document: JsonObject;
}

const TOOL_WORDS: Readonly<
  Record<ToolPack, { readonly name: string; readonly description: string }>
> = {
  'coding.v1': {
    name: 'GitHub',
    description: 'Read issues and pull requests of a repository, and comment on issues.',
  },
  'comms.v1': { name: 'Resend', description: 'Send e-mail.' },
};

const COMMERCIAL = { pricing_model: 'free', currency: 'BTC_SATS' } as const;
const COMPATIBILITY = { runtime: 'openagents-runtime' } as const;

const TOOLS: readonly BuiltInSpec[] = BUILT_IN_MANIFESTS.map((builtIn) => ({
  kind: 'tool',
  id: builtIn.toolId,
  version: builtIn.version,
  document: {
    tool_id: builtIn.toolId,
    version: builtIn.version,
    tool_pack: builtIn.toolPack,
    ...TOOL_WORDS[builtIn.toolPack],
    execution_kind: 'http',
    integration_manifest: builtIn.manifest,
    commercial: COMMERCIAL,
  },
}));

const SKILLS: readonly BuiltInSpec[] = [
  defineSkill({
    skill_id: 'github-coding',
    version: 1,
    name: 'GitHub Coding',
    description:
      'Work on issues and pull requests of a GitHub repository: read them, then comment.',
    instructions_markdown: [
      '# GitHub coding',
      '',
      '1. Read the issue with `get_issue`, or the pull request with `get_pull_request`, before you say anything about it.',
      '2. Say what you are about to write, and where. A comment is seen by everybody who follows the repository.',
      '3. Comment with `add_issue_comment` once, in the words that were agreed on. A comment that was refused by policy',
      '   is reported, never sent another way.',
      '4. Report the link that the answer holds.',
    ].join('\n'),
    allowed_tools: [{ tool_id: 'github.primary', version: 1 }],
  }),
  defineSkill({
    skill_id: 'resend-comms',
    version: 1,
    name: 'Resend Comms',
    description: 'Send e-mail through Resend, with the consent of those who receive it.',
    instructions_markdown: [
      '# E-mail with Resend',
      '',
      '1. Make sure who is written to, from which address, and why they agreed to it.',
      '2. Show subject and text before you send, unless you were told to send without asking.',
      '3. Send with `send_email`, once for each message. A recipient who bounced, complained or unsubscribed is refused:',
      '   report it, and do not look for another address.',
      '4. Report the id of the message that the answer holds.',
    ].join('\n'),
    allowed_tools: [{ tool_id: 'resend.primary', version: 1 }],
  }),
];

export const BUILT_IN_SPECS: readonly BuiltInSpec[] = [...TOOLS, ...SKILLS];

function defineSkill(
  skill: JsonObject & { readonly skill_id: string; readonly version: number },
): BuiltInSpec {
  const document = { ...skill, compatibility: COMPATIBILITY, commercial: COMMERCIAL };
  return { kind: 'skill', id: skill.skill_id, version: skill.version, document };
}
