/** A clock gives epoch milliseconds. */
export type Clock = { now(): number };
