import type { SecurityType } from '../../../market/rules/stock.ts';

/**
 * The security type of a row. Depositary receipts are CDIs. Property trusts, which the platform lists under funds, count
 * as stocks, because they are companies that trade like any other; ETFs, listed investment companies and mutual funds are
 * funds.
 * @param type the platform's `type`: stock, fund, dr, structured
 * @param typespecs its `typespecs`: common, etf, reit, closedend, mutual …
 */
export function securityTypeOf(type: string | null, typespecs: readonly string[]): SecurityType {
  if (type === 'stock') return 'stock';
  if (type === 'dr') return 'cdi';
  if (type === 'fund') return typespecs.includes('reit') ? 'stock' : 'fund';
  return 'other';
}
