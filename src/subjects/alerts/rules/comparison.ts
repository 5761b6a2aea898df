/** What a condition compares: a column with a number, or with another column. */
export type Comparison = {
  /** A column. */
  left: number;
  /** A column; null for a number. */
  right: number | null;
  /** The number. */
  level: number;
};
