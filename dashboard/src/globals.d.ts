/** The version that the pages were built for. */
declare const __PINCER_VERSION__: string;
