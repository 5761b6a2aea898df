import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';

/**
 * How something about the host stands. The last three begin nothing and end nothing: it can't be said now, nothing was
 * asked since the start, or it is between two limits and stays as it was.
 */
export type ConcernState = 'wrong' | 'well' | 'unknown' | 'unchecked' | 'unchanged';

/** Something about the host that may be wrong, as it was found at one look. All texts are plain sentences. */
export type Concern = {
  /** The same at every look: what is remembered of it is kept by it. */
  key: string;
  /** The name of the check in a list: 'Backups'. Several concerns may share one check. */
  what: string;
  state: ConcernState;
  title: string;
  /** What was seen; empty where there is nothing to say. */
  detail: string;
  /** What the host can do. */
  remedy: string;
  /** The title of the message that it is over. */
  overTitle: string;
  /** So long it must be wrong before it counts, and well before it counts as over. */
  afterMs: number;
  overAfterMs: number;
  /** Quiet hours do not hold its messages. */
  isUrgent: boolean;
  /**
   * What it is made of, where that may grow, by name, and whether each has been wrong for long enough: what comes to one that
   * was told is told too, under `moreTitle`.
   */
  parts?: readonly { name: string; lasts: boolean }[];
  moreTitle?: string;
  /** What does not work then: the message that it began takes another way, if its reader has one. */
  platform?: MessagePlatform;
  /** A worse stage of the concern of this key: while it counts, that is not listed, and its end is told by that alone. */
  stageOf?: string;
};

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
