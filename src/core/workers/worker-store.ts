/** Remote workers, their event logs and the requests made of them. */
export type WorkerStore = object;
