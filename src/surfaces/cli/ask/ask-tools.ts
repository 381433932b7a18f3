import type { ToolReading, ToolWriting } from '../../../operations/tools/tools.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, type Place } from './place.ts';

/** Which tools there are is known to a runtime only, and not to the database. */
const TOOLS: Place<ToolReading, ToolWriting> = {
  read: fromRuntime(({ admin }) => admin, { isLooking: true }),
  write: fromRuntime(({ admin }) => admin),
};

export const askTools = askAt(TOOLS);
