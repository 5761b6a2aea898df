import type { Outcome } from './outcome.ts';

/** What a transfer file is made of, in the order in which it is taken: later kinds read earlier ones. */
export const TRANSFER_KINDS = [
  'columns',
  'indicators',
  'watchlists',
  'scans',
  'alerts',
  'scanAlerts',
  'preferences',
  'quietHours',
] as const;
export type TransferKindName = (typeof TRANSFER_KINDS)[number];

/** While a file is written: the numbers that saved scans have in it, by their ids here. */
export type Giving = { userId: number; scanNumbers: Map<number, number> };

/** While a file is taken. */
export type Taking = {
  userId: number;
  /** Alerts that were on come in switched on. */
  switchOn: boolean;
  /** The ids here of the file's saved scans, by their numbers in it; a scan that is not here has none. */
  scanIds: Map<number, number>;
};

/** What was done within the transaction, and what is to be done once it is committed. */
export type Taken = { outcome: Outcome; afterwards: () => void };

/** One kind of things that a person takes to another server; each subject gives its own. */
export type TransferKind = {
  /** @returns JSON without ids, chats, addresses and secrets; undefined for what a person never chose */
  give(giving: Giving): unknown;
  /**
   * Takes what may be taken, by the rules and limits of the subject. Within the caller's transaction, which may be rolled
   * back: it touches nothing but the database.
   * @param value its form was checked
   */
  take(taking: Taking, value: unknown): Taken;
  /** Finds what is here already, where the kind itself is not taken but others read it. */
  match?(taking: Taking, value: unknown): void;
};

/** All kinds, by name. */
export type TransferKinds = Readonly<Record<TransferKindName, TransferKind>>;

/** One of the choices that make up the preferences of a person. */
export type TransferPreference = {
  /** Undefined where it is what everybody begins with: that is not to take the place of a choice elsewhere. */
  give(userId: number): unknown;
  /**
   * Within the caller's transaction.
   * @returns whether it was another one
   * @throws AppError 400 for what is no such choice
   */
  put(userId: number, value: unknown): boolean;
};

/** What a user's windows are told, on the alert stream. */
export type TransferEvents = {
  /** A file was taken: settings, columns, lists and alerts are to be read again. */
  set_up_changed: Record<string, never>;
};

/** Tells a user's open windows, wherever there are some. */
export type TransferNotifier = { setUpChanged(userId: number): void };
