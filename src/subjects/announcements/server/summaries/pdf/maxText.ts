/**
 * Characters of a document that are read, about 5,000 tokens: with instructions and answer they fit into the 8,192 that
 * small local models hold, and what an announcement announces stands on its first pages.
 */
export const MAX_TEXT = 20_000;
