/** The largest file that the tools write or edit. It is held in memory whole, a few times over. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;
