export type CheckResultState = 'ok' | 'warning' | 'wrong';

export type CheckResult = {
  what: string;
  state: CheckResultState;
  says: string;
  /** How to fix it, one sentence; null if there is nothing to do. */
  remedy: string | null;
};

export const good = (what: string, says: string): CheckResult => ({ what, state: 'ok', says, remedy: null });

export const doubtful = (what: string, says: string, remedy: string): CheckResult => ({
  what,
  state: 'warning',
  says,
  remedy,
});

export const bad = (what: string, says: string, remedy: string): CheckResult => ({
  what,
  state: 'wrong',
  says,
  remedy,
});

export const isAnyWrong = (results: readonly CheckResult[]): boolean =>
  results.some(({ state }) => state === 'wrong');
