/** Alerts on stocks and on whole scans; ids count again in each kind. */
export const ALERT_KINDS = ['alert', 'scan'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** An alert that a finding is about. */
export type FoundAlert = {
  of: AlertKind;
  id: number;
  /** 'BHP Breakout', 'Any stock enters Pre-Market Scan'. */
  called: string;
  /** Null of an alert on a scan. */
  symbol: string | null;
};

/** What may be wrong with an alert, the worst first: the order in which it is told. */
export const FINDING_KINDS = ['left', 'halted', 'broken', 'noisy', 'double', 'silent'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** What one press does with the alerts of a finding. */
export const REVIEW_PRESSES = ['cooldown', 'merge', 'pause', 'delete', 'keep'] as const;
export type ReviewPress = (typeof REVIEW_PRESSES)[number];

/** Something that makes alerts useless or too many. */
export type Finding = {
  /** Of its kind and its alerts: the same as long as it is the same finding. */
  key: string;
  kind: FindingKind;
  /** At least one; of alerts that say the same the first is the one that stays. */
  alerts: readonly FoundAlert[];
  /** A sentence with its numbers. */
  text: string;
  /** What helps. `keep` always does. */
  presses: readonly ReviewPress[];
  /** Minutes before and after the cooldown is raised; null where that does not help. */
  cooldown: { from: number; to: number } | null;
};

/** A finding that its owner keeps as it is does not come again for so long. */
export const KEPT_MS = 90 * 24 * 3_600_000;

/** Findings with which something may be done at once. */
export const MAX_PRESSED = 100;

/** 'BHP Breakout and 2 more'. */
export const findingTitle = ({ alerts: [first, ...others] }: Pick<Finding, 'alerts'>): string =>
  `${first?.called ?? ''}${others.length === 0 ? '' : ` and ${others.length} more`}`;
