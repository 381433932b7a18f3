import type { BridgeReading, BridgeWriting } from '../../../operations/openclaw/bridge.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, type Place } from './place.ts';

// Without a server only the configuration can be told, and whether the gateway would let us in.
const open = fromRuntime(({ openclaw }) => ({ openclaw }), { isLooking: true });

const BRIDGE: Place<BridgeReading, BridgeWriting> = { read: open, write: open };

export const askBridge = askAt(BRIDGE);
