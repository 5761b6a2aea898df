export type FindingState = 'ok' | 'warning' | 'wrong';

export type Finding = {
  what: string;
  state: FindingState;
  says: string;
  /** How to fix it, one sentence; null if there is nothing to do. */
  remedy: string | null;
};

export const good = (what: string, says: string): Finding => ({ what, state: 'ok', says, remedy: null });

export const doubtful = (what: string, says: string, remedy: string): Finding => ({
  what,
  state: 'warning',
  says,
  remedy,
});

export const bad = (what: string, says: string, remedy: string): Finding => ({
  what,
  state: 'wrong',
  says,
  remedy,
});

export const isAnyWrong = (findings: readonly Finding[]): boolean =>
  findings.some(({ state }) => state === 'wrong');
