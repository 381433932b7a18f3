/** How far each run and worker has been projected to the sink. */
export type ProjectionStore = object;
