/** What an extension did not find on the helpdesk's page. `at`: when it was told, in epoch milliseconds. */
export interface MissingAnchor {
  anchor: string;
  /** Version of the extension. */
  extension: string;
  /** Version of the helpdesk; null if it is not known. */
  helpdesk: string | null;
  at: number;
}

/** The last report about each anchor, shared by all processes. Holds nothing about people. */
export interface MissingAnchors {
  /** Remembers it, unless the anchor was reported less than `quietMs` before: false. Of several at once one is true. */
  record(missing: MissingAnchor, quietMs: number): Promise<boolean>;
  list(): Promise<MissingAnchor[]>;
}
