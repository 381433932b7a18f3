import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

export type OpenedPage = LazyExoticComponent<ComponentType>;

/** The code of a page did not come: the server is gone, or another version has other files. */
export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The code of this page could not be loaded.', { cause });
    this.name = 'PageNotLoaded';
  }
}

/** A page whose code is loaded when it is first opened. */
export function opened<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): OpenedPage {
  return lazy(async () => {
    const module = await load().catch((cause: unknown) => {
      throw new PageNotLoaded(cause);
    });
    return { default: module[name] };
  });
}
