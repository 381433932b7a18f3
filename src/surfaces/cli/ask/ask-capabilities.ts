import type {
  CapabilityReading,
  CapabilityWriting,
} from '../../../operations/capabilities/capabilities.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, type Place } from './place.ts';

/** What is granted depends on the configuration and on the tools there are: a runtime knows both. */
const CAPABILITIES: Place<CapabilityReading, CapabilityWriting> = {
  read: fromRuntime(({ admin }) => admin, { isLooking: true }),
  write: fromRuntime(({ admin }) => admin),
};

export const askCapabilities = askAt(CAPABILITIES);
