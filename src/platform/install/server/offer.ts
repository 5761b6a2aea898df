import type { ProgramVersion } from '../shared/updateState.ts';

export type OfferedCommit = { commit: string; subject: string /** Epoch ms. */; at: number };

/** What an update would bring. */
export type Offer = {
  isNew: boolean;
  /** What would run then; the version of a checkout is not known before it is built. */
  to: { version: string | null; commit: string };
  /** Of a checkout; null for a release. */
  branch: string | null;
  /** The newest first, at most 50; none for a release. */
  commits: OfferedCommit[];
  /** How many there are in all. */
  count: number;
  /** Of a release, as its maker wrote them. */
  notes: string | null;
};

/** What the steps of an update work with. */
export type Workplace = {
  /** A folder of this update alone, which is removed afterwards. */
  folder: string;
  /** Where the finished executable is put: beside the one that runs. */
  target: string;
  /** Runs a step under its name, so that the page shows it. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
};

/** Where new versions of this installation come from. */
export type UpdateSource = {
  kind: 'checkout' | 'release';
  /** @throws UpdateError with a sentence when it can't be known, or when this installation can't take it */
  look(): Promise<Offer>;
  /** Leaves the new executable at `target`. @throws UpdateError */
  make(offer: Offer, workplace: Workplace): Promise<void>;
  /** The checkout that moves along with the executable; null where there is none. */
  checkout(offer: Offer): Promise<{ folder: string; from: string; to: string } | null>;
  /** What is left to be done once the executable is in its place; a failure of it costs nobody the update. */
  settle?(): void;
  need: { disk: number; memory: number };
};

/** Whether what a candidate says of itself is what was offered. */
export const isOffered = ({ to }: Offer, { version, commit }: ProgramVersion): boolean =>
  commit === to.commit && (to.version === null || version === to.version);
