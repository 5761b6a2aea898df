import type { SecurityType } from '../../../domain/market/stock.ts';

/**
 * What kind of listing a row is. Depositary receipts are the CDIs (large names among them). The platform files
 * property trusts under funds, but they are companies that trade like any other, so they count as stocks; ETFs,
 * listed investment companies and mutual funds are funds.
 * @param type the platform's `type`: stock, fund, dr, structured
 * @param typespecs its `typespecs`: common, etf, reit, closedend, mutual …
 */
export function securityTypeOf(type: string | null, typespecs: readonly string[]): SecurityType {
  if (type === 'stock') return 'stock';
  if (type === 'dr') return 'cdi';
  if (type === 'fund') return typespecs.includes('reit') ? 'stock' : 'fund';
  return 'other';
}
