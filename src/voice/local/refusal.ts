/** Thrown in the thread for a recording that can't be taken, in words for whoever sent it. */
export class Refusal extends Error {}
