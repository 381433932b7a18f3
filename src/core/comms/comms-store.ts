/** Delivery events of mail providers, and the recipients that must not be written to any more. */
export interface CommsStore {
  /** By the recipient as it was given; stores compare in lower case without surrounding white space. */
  isSuppressed(recipient: string): Promise<boolean>;
}
