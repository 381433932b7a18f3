/** What was done in the name of a run through `tools/execute`, so that it can be shown and is not done twice. */
export type ReceiptStore = object;
