import type { ProgramVersion } from '../shared/updateState.ts';

export type OfferedCommit = { commit: string; subject: string /** Epoch ms. */; at: number };

export type Offer = {
  isNew: boolean;
  /** The new version. That of a checkout is unknown before the build. */
  to: { version: string | null; commit: string };
  /** Of a checkout; null for a release. */
  branch: string | null;
  /** The newest first, at most 50; none for a release. */
  commits: OfferedCommit[];
  /** Number of all commits. */
  count: number;
  /** Of a release, as its maker wrote them. */
  notes: string | null;
};

export type Workplace = {
  /** A folder of this update, which is removed afterwards. */
  folder: string;
  /** The path of the finished executable, next to the running one. */
  target: string;
  /** Runs a step under its name, for the page. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
};

export type UpdateSource = {
  kind: 'checkout' | 'release';
  /** @throws UpdateError with a sentence if the lookup fails or this installation can't be updated */
  look(): Promise<Offer>;
  /** Leaves the new executable at `target`. @throws UpdateError */
  make(offer: Offer, workplace: Workplace): Promise<void>;
  /** The checkout that moves along with the executable; null if there is none. */
  checkout(offer: Offer): Promise<{ folder: string; from: string; to: string } | null>;
  /** Runs after the swap. Its failure does not fail the update. */
  settle?(): void;
  need: { disk: number; memory: number };
};

/** Whether a candidate reports the offered version. */
export const isOffered = ({ to }: Offer, { version, commit }: ProgramVersion): boolean =>
  commit === to.commit && (to.version === null || version === to.version);
