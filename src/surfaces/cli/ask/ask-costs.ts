import type { CostReading, CostWriting } from '../../../operations/costs/costs.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, type Place } from './place.ts';

/** The budget of projects without one is in the configuration, which a runtime knows. */
const COSTS: Place<CostReading, CostWriting> = {
  read: fromRuntime(({ costs }) => ({ costs }), { isLooking: true }),
  write: fromRuntime(({ costs }) => ({ costs })),
};

export const askCosts = askAt(COSTS);
