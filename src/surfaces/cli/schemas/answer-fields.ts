import { z } from 'zod';

/** What a command adds to the envelope. Members that are there when there is something to say are optional. */
export type AnswerShape = z.ZodObject;

export type AnswerShapes = Readonly<Record<string, AnswerShape>>;

export const count = z.int().min(0);
export const texts = z.array(z.string());
/** An object whose members are somebody else's. */
export const anyObject = z.record(z.string(), z.unknown());
export const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  .meta({ format: 'date-time' });
/** Whether a server or the state root itself was asked. */
export const via = z.enum(['server', 'local']);
