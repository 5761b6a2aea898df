const HALVINGS = 60;

/**
 * The share of Student's t distribution between −t and t, by the finite series for whole degrees of freedom
 * (Abramowitz and Stegun, 26.7.3 and 26.7.4).
 */
function shareWithin(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const cosine = Math.cos(angle);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees > 1 ? term : 0;
  for (let power = isOdd ? 3 : 2; power < degrees; power += 2) {
    term *= ((power - 1) / power) * cosine * cosine;
    sum += term;
  }
  const series = Math.sin(angle) * sum;
  return isOdd ? (2 / Math.PI) * (angle + series) : series;
}

/** The two-sided 95 % quantile of Student's t distribution. @param degrees of freedom, at least 1 */
export function studentT95(degrees: number): number {
  let low = 0;
  let high = 13;
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (shareWithin(middle, degrees) < 0.95) low = middle;
    else high = middle;
  }
  return high;
}
