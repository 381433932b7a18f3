import type { ParcelHandling } from '../../../operations/agents/parcels.ts';
import { fromRuntime, type Place } from './place.ts';

/** Who exports or previews creates nothing but the key that is signed with. */
export const PARCELS: Place<ParcelHandling, ParcelHandling> = {
  read: fromRuntime(({ parcels }) => ({ parcels }), { isLooking: true }),
  write: fromRuntime(({ parcels }) => ({ parcels })),
};
