import { ADMIN_SHAPES } from './admin-shapes.ts';
import type { AnswerShapes } from './answer-fields.ts';
import { COMMS_SHAPES } from './comms-shapes.ts';
import { INVENTORY_SHAPES } from './inventory-shapes.ts';
import { KNOWLEDGE_SHAPES } from './knowledge-shapes.ts';
import { PROGRAM_SHAPES } from './program-shapes.ts';
import { PROJECTION_SHAPES } from './projection-shapes.ts';
import { SESSION_FILE_SHAPES } from './session-file-shapes.ts';
import { SKILL_SHAPES } from './skill-shapes.ts';
import { TURN_SHAPES } from './turn-shapes.ts';
import { VOICE_SHAPES } from './voice-shapes.ts';

/** The commands of contract 3. */
export const CONTRACT_SHAPES: AnswerShapes = {
  ...SESSION_FILE_SHAPES,
  ...INVENTORY_SHAPES,
  ...TURN_SHAPES,
};

/** What all commands answer, by the command's whole name. Only the build and tests load this: commands answer without. */
export const COMMAND_SHAPES: AnswerShapes = {
  ...CONTRACT_SHAPES,
  ...PROGRAM_SHAPES,
  ...SKILL_SHAPES,
  ...ADMIN_SHAPES,
  ...KNOWLEDGE_SHAPES,
  ...PROJECTION_SHAPES,
  ...COMMS_SHAPES,
  ...VOICE_SHAPES,
};
