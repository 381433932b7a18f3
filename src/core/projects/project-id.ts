/** A name that callers choose: 1 to 128 printable characters, no blank at either end. Naming a project makes it. */
export const PROJECT_ID_PATTERN = /^[^\s\p{C}](?:[^\p{C}]{0,126}[^\s\p{C}])?$/u;

export const PROJECT_ID_RULE =
  'must be 1 to 128 printable characters without a blank at either end';

/** Where callers that name none are counted. */
export const DEFAULT_PROJECT_ID = 'proj_001';
