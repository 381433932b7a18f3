/** The version in package.json, put in place by the build; absent when sources run unbuilt. */
declare const __PINCER_VERSION__: string | undefined;
/** A digest of the sources. */
declare const __PINCER_BUILD__: string | undefined;
