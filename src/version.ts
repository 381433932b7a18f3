declare const __PINCER_VERSION__: string | undefined;

/** Put in by the build; sources that run unbuilt have no release to name. */
export const VERSION = typeof __PINCER_VERSION__ === 'string' ? __PINCER_VERSION__ : '0.0.0-dev';
