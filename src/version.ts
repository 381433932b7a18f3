declare const __PINCER_VERSION__: string | undefined;
declare const __PINCER_BUILD__: string | undefined;

/** Put in by the build; sources that run unbuilt have no release to name. */
export const VERSION = typeof __PINCER_VERSION__ === 'string' ? __PINCER_VERSION__ : '0.0.0-dev';

/** A digest of the sources that were built: two programs of one version may differ. Undefined for sources that run unbuilt. */
export const BUILD = typeof __PINCER_BUILD__ === 'string' ? __PINCER_BUILD__ : undefined;
