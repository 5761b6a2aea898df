/** How good what was looked at is: nothing to do, worth a look, or it does not work. */
export type FindingState = 'ok' | 'warning' | 'wrong';

/** One line of what a check found. None of its texts holds a secret. */
export type Finding = {
  /** What was looked at, in a word or two. */
  what: string;
  state: FindingState;
  /** One sentence. */
  says: string;
  /** What to do about it, one sentence; null where there is nothing to do. */
  remedy: string | null;
};

/** @param what was looked at; @param says one sentence on how it is */
export const good = (what: string, says: string): Finding => ({ what, state: 'ok', says, remedy: null });

/** Something that works and is still worth a look. */
export const doubtful = (what: string, says: string, remedy: string): Finding => ({
  what,
  state: 'warning',
  says,
  remedy,
});

/** Something that does not work. */
export const bad = (what: string, says: string, remedy: string): Finding => ({
  what,
  state: 'wrong',
  says,
  remedy,
});

/** Whether something of it does not work. */
export const isAnyWrong = (findings: readonly Finding[]): boolean =>
  findings.some(({ state }) => state === 'wrong');
