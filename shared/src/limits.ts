// Apart from the schemas that hold them, so that a field can have them without a parser.

/** Longest text that a company is searched by. */
export const maxQueryLength = 200;

/** Longest note to a rejection: as long as a sentence. */
export const maxRejectionNote = 140;
