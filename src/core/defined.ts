type Flat<T> = { [K in keyof T]: T[K] };

/** The members that may be undefined are optional, and never undefined. */
export type Defined<T extends object> = Flat<
  { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
  }
>;

/** Leaves out what is undefined: an optional member is there with a value or not at all. */
export function defined<T extends object>(members: T): Defined<T> {
  const present: Partial<Record<keyof T, unknown>> = {};
  for (const key of Object.keys(members) as (keyof T)[]) {
    if (members[key] !== undefined) present[key] = members[key];
  }
  return present as Defined<T>;
}
