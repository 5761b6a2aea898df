/** Two-sided 95 % quantile of the normal distribution. */
const Z_95 = 1.959963984540054;

/**
 * Lower end of the Wilson score interval (E. B. Wilson, 1927) at 95 %: what share of wins is supported by this few
 * trials. Three of three is worth less than forty of fifty.
 *
 * @param wins how many of the trials won, 0…trials
 * @param trials how many there were
 * @returns a share between 0 and 1; 0 without trials or wins
 */
export function wilsonLowerBound(wins: number, trials: number): number {
  if (trials <= 0 || wins <= 0) return 0;
  const share = wins / trials;
  const centre = share + (Z_95 * Z_95) / (2 * trials);
  const spread = Z_95 * Math.sqrt((share * (1 - share)) / trials + (Z_95 * Z_95) / (4 * trials * trials));
  return Math.max(0, (centre - spread) / (1 + (Z_95 * Z_95) / trials));
}
