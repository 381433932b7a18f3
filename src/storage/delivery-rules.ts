const DAY_MS = 24 * 60 * 60 * 1000;

/** A provider repeats an event for days; after this time it is forgotten, and a repetition would count as new. */
export const KEEP_DELIVERY_EVENTS_MS = 90 * DAY_MS;
/** In one go, so that no event waits for a year's worth of them. */
export const MAX_REMOVED_EVENTS = 100;
/** A page is read in one go. */
export const MAX_PAGE_SUPPRESSIONS = 500;
