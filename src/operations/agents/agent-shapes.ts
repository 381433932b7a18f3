import { z } from 'zod';
import { AGENT_STATUSES, MEMORY_ACCESSES } from '../../core/agents/agent.ts';
import { MAX_SOUL_CHARS } from '../../core/agents/agent-files.ts';
import { AGENT_RUNTIMES } from '../../core/agents/agent-runtime.ts';
import { AGENT_ID_PATTERN } from '../../core/ids.ts';
import { agentId, isoDate, momentParam, pageCursor, pageLimit, storable } from '../fields.ts';

/** Agents, as `/api/admin` and `/api` show and take them. */
const MAX_NAME_CHARS = 80;
const MAX_ROLE_CHARS = 200;
const MAX_MODEL_CHARS = 256;
const MAX_WORD_CHARS = 128;
const MAX_SKILLS = 50;

const memoryAccess = z.enum(MEMORY_ACCESSES);
const status = z.enum(AGENT_STATUSES);

export const agent = z
  .object({
    agent_id: z.string(),
    slug: z.string(),
    name: z.string(),
    role: z.string(),
    model: z.string().nullable().meta({ description: 'Null: the model of the runtime.' }),
    runtime: z.enum(AGENT_RUNTIMES).meta({ description: 'Where it lives.' }),
    instructions: z.string(),
    personality_template: z.string().nullable(),
    voice_id: z.string().nullable(),
    skills: z.array(z.string()),
    memory_access: memoryAccess,
    status,
    created_at: isoDate,
    updated_at: isoDate,
  })
  .meta({ id: 'Agent' });

export const agentList = z.object({ agents: z.array(agent), next_cursor: z.string().nullable() });

export const agentParams = z.strictObject({ agent_id: agentId });

export const listAgentsQuery = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const approvalHeaders = z.object({
  'x-clawos-global-memory-approved': z.string().max(16).optional().meta({
    description: '`true` when a person has approved memory of everybody for this agent.',
  }),
});

/** What is there has to say something. */
const spoken = (maxChars: number) =>
  storable(maxChars)
    .min(1)
    .refine((text) => text.trim() !== '', { error: 'must not be empty' });

const word = spoken(MAX_WORD_CHARS);
const skills = z.array(storable(MAX_WORD_CHARS)).max(MAX_SKILLS);

const agentFields = {
  name: spoken(MAX_NAME_CHARS).optional(),
  role: storable(MAX_ROLE_CHARS).optional(),
  model: storable(MAX_MODEL_CHARS)
    .min(1)
    .nullable()
    .optional()
    .meta({ description: '`provider/name`; null: the model of the runtime.' }),
  runtime: z.enum(AGENT_RUNTIMES).optional().meta({
    description: '`openclaw`: in the gateway; its model is then `openclaw/<agent there>`.',
  }),
  instructions: storable(MAX_SOUL_CHARS)
    .optional()
    .meta({ description: 'Its soul: what the model is told about itself.' }),
  personality_template: word
    .optional()
    .meta({ description: 'What its soul is made from, where `instructions` are not given.' }),
  voice_id: word.nullable().optional(),
  skills: skills.optional().meta({ description: 'None: all that it is granted.' }),
  memory_access: memoryAccess.optional(),
};

/** One that is made now, not one that is named. */
const newAgentId = z
  .string()
  .min(1)
  .regex(AGENT_ID_PATTERN, { error: 'must be 1 to 64 letters, digits, _ or -' })
  .meta({ examples: ['agent_writer'] });

export const createAgentBody = z.strictObject({ agent_id: newAgentId.optional(), ...agentFields });
export const changeAgentBody = z.strictObject({
  ...agentFields,
  if_updated_at: momentParam.optional().meta({
    description: 'The `updated_at` that was read: 409 when somebody has changed the agent since.',
  }),
});

export const templateList = z.object({
  templates: z.array(
    z.object({
      name: z.string(),
      text: z.string().meta({ description: 'With places as in `{{agent_name}}`.' }),
      built_in: z.boolean(),
    }),
  ),
});

export const statusBody = z.strictObject({ status }).meta({ examples: [{ status: 'sleeping' }] });
export const removedAgent = z.object({ agent, deleted: z.literal(true) });

/** The object of contract 2, and what it says nothing about behind it. */
export const profile = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.string(),
    personality_path: z.string(),
    voice_id: z.string().nullable(),
    skills: z.array(z.string()),
    memory_access: memoryAccess,
    status,
    slug: z.string(),
    personality_template: z.string().nullable(),
    created_at: isoDate,
    updated_at: isoDate,
  })
  .meta({ id: 'AgentProfile' });

export const profileList = z.object({ agents: z.array(profile) });
export const oneProfile = z.object({ agent: profile });
export const removedProfile = z.object({ agent: profile, deleted: z.literal(true) });
export const spawnedProfile = z.object({
  agent: profile,
  files_created: z.array(z.string()).meta({
    examples: [['/souls/lince.md', '/agents/lince.config.json']],
  }),
});

export const spawnBody = z
  .strictObject({
    name: spoken(MAX_NAME_CHARS),
    role: spoken(MAX_ROLE_CHARS),
    personality_template: word.optional(),
    voice_id: word,
    skills,
    memory_access: memoryAccess,
  })
  .meta({
    examples: [
      {
        name: 'Lince',
        role: 'Cybersecurity Researcher',
        personality_template: 'default-security',
        voice_id: 'elevenlabs_voice_123',
        skills: ['browser', 'terminal', 'python'],
        memory_access: 'global',
      },
    ],
  });

export const changeProfileBody = z
  .strictObject({
    name: agentFields.name,
    role: spoken(MAX_ROLE_CHARS).optional(),
    personality_template: agentFields.personality_template,
    voice_id: agentFields.voice_id,
    skills: agentFields.skills,
    memory_access: agentFields.memory_access,
  })
  .refine((body) => Object.keys(body).length > 0, { error: 'must say what changes' });

export const permissionsBody = z
  .strictObject({
    skills: skills.refine((given) => given.some((skill) => skill.trim() !== ''), {
      error: 'must name at least one skill',
    }),
    memory_access: memoryAccess,
  })
  .meta({ examples: [{ skills: ['browser', 'python'], memory_access: 'global' }] });

export type AgentShape = z.infer<typeof agent>;
export type AgentListShape = z.infer<typeof agentList>;
export type AgentFieldsShape = Omit<z.infer<typeof changeAgentBody>, 'if_updated_at'>;
export type ProfileShape = z.infer<typeof profile>;
export type ApprovalHeadersShape = z.infer<typeof approvalHeaders>;
