import type { ProgramVersion } from '../shared/updateState.ts';

/** `at` is epoch ms. */
export type OfferedCommit = { commit: string; subject: string; at: number };

export type Offer = {
  isNew: boolean;
  /** The new version. That of a checkout is unknown before the build. */
  to: { version: string | null; commit: string };
  branch: string | null;
  commits: OfferedCommit[];
  count: number;
  notes: string | null;
};

export type Workplace = {
  folder: string;
  target: string;
  /** Runs a step under its name, for the page. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
};

export type UpdateSource = {
  kind: 'checkout' | 'release';
  /** @throws UpdateError with a sentence if the lookup fails or this installation can't be updated */
  findOffer(): Promise<Offer>;
  /** Leaves the new executable at `target`. @throws UpdateError */
  make(offer: Offer, workplace: Workplace): Promise<void>;
  /** The checkout that moves along with the executable; null if there is none. */
  checkout(offer: Offer): Promise<{ folder: string; from: string; to: string } | null>;
  /** Runs after the swap. Its failure does not fail the update. */
  settle?(): void;
  need: { disk: number; memory: number };
};

export const isOffered = ({ to }: Offer, { version, commit }: ProgramVersion): boolean =>
  commit === to.commit && (to.version === null || version === to.version);
