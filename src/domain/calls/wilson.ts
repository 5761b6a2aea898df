/** Two-sided 95 % quantile of the normal distribution. */
const z = 1.959963984540054;

/**
 * Lower end of the Wilson score interval (E. B. Wilson, 1927) at 95 %: what share of wins is supported by this few
 * trials. Three of three is worth less than forty of fifty.
 *
 * @param wins how many of the trials won, 0…trials
 * @param trials how many there were
 * @returns a share between 0 and 1; 0 without trials or wins
 */
export const wilsonLowerBound = (wins: number, trials: number): number => {
  if (trials <= 0 || wins <= 0) return 0;
  const share = wins / trials;
  const centre = share + (z * z) / (2 * trials);
  const spread = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  return Math.max(0, (centre - spread) / (1 + (z * z) / trials));
};
