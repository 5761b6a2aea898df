import type { SecurityType } from '#market/rules/stock.ts';
import { inventListings, type Kind, type Shape } from './inventedListings.ts';
import { gauss, mix, textSeed, unit } from './random.ts';
import { REAL_LISTINGS } from './realListings.ts';

/** The properties of a listing that do not depend on the simulator's seed. */
export type Listing = {
  code: string;
  name: string;
  sector: string;
  kind: Kind;
  securityType: SecurityType;
  /** The seed of everything random about it. */
  id: number;
  /** AUD; over the years the price moves around it. */
  basePrice: number;
  /** Shares on issue; null where the market cap is not known, as for most funds. */
  shares: number | null;
  /** Shares traded on a usual day. */
  usualVolume: number;
  /** Standard deviation of a day's return, as a fraction. */
  volatility: number;
  /** The share of the whole market's move that it follows. */
  beta: number;
  /** Usual number of trades in a minute of continuous trading. */
  tradesPerMinute: number;
  /** Suspended on every day, as a few companies are. */
  suspended: boolean;
  /** Chance of an announcement on a day, and of a price-sensitive one. */
  announcementRate: number;
  sensitiveRate: number;
};

export const LISTING_COUNT = 2000;

const SECURITY: Readonly<Record<Kind, SecurityType>> = {
  stock: 'stock',
  cdi: 'cdi',
  reit: 'stock',
  fund: 'fund',
};

/** The usual traded value of a day, AUD. Medians by size were taken from scans recorded in January 2026. */
function usualValue(kind: Kind, marketCap: number | null, id: number): number {
  const spread = gauss(id, 21);
  if (kind === 'fund') return 250_000 * Math.exp(1.5 * spread);
  const cap = marketCap ?? 5e7;
  const median =
    cap >= 1e9 ? cap * 0.0024 : cap >= 1e8 ? 335_000 * (cap / 3e8) : 33_000 * (cap / 4e7) ** 0.85;
  return median * Math.exp((cap >= 1e9 ? 0.45 : 0.95) * spread);
}

function volatilityOf(kind: Kind, marketCap: number | null, id: number): number {
  const spread = 0.75 + 0.5 * unit(id, 22);
  if (kind === 'fund') return 0.007 * spread;
  if (kind === 'reit') return 0.011 * spread;
  const cap = marketCap ?? 5e7;
  return (
    (cap >= 1e10 ? 0.012 : cap >= 1e9 ? 0.018 : cap >= 1e8 ? 0.027 : cap >= 2e7 ? 0.038 : 0.046) * spread
  );
}

function listingOf(code: string, shape: Shape, real: boolean): Listing {
  const { kind, name, sector, price, marketCap } = shape;
  const id = mix(textSeed(code), 7);
  const value = usualValue(kind, marketCap, id);
  const fund = kind === 'fund';
  const size = marketCap ?? 0;
  return {
    code,
    name,
    sector,
    kind,
    securityType: SECURITY[kind],
    id,
    basePrice: price,
    shares: marketCap === null ? null : Math.round(marketCap / price),
    usualVolume: Math.max(50, Math.round(value / price)),
    volatility: volatilityOf(kind, marketCap, id),
    beta: fund ? 0.9 : 0.5 + 0.8 * unit(id, 23),
    tradesPerMinute: Math.min(90, 0.045 * value ** 0.43),
    suspended: !real && kind === 'stock' && size < 1e8 && unit(id, 24) < 0.02,
    announcementRate: fund ? 0.17 : size >= 1e9 ? 0.32 : 0.2,
    sensitiveRate: fund ? 0.004 : size >= 1e9 ? 0.05 : 0.055,
  };
}

function readReal(line: string): { code: string; shape: Shape } {
  const [code = '', name = '', sector = '', price = '', millions = '', kind = 'stock'] = line.split('|');
  const marketCap = Number(millions) > 0 ? Number(millions) * 1e6 : null;
  return { code, shape: { kind: kind as Kind, name, sector, price: Number(price), marketCap } };
}

/**
 * All listings: about 240 with real codes, the others invented. Sorted by code.
 * @returns LISTING_COUNT listings with unique codes
 */
export function createListings(): Listing[] {
  const real = REAL_LISTINGS.trim().split('\n').map(readReal);
  const codes = new Set(real.map((one) => one.code));
  const invented = inventListings(LISTING_COUNT - real.length, codes);
  return [
    ...real.map(({ code, shape }) => listingOf(code, shape, true)),
    ...invented.map((shape) => listingOf(shape.code, shape, false)),
  ].sort((a, b) => (a.code < b.code ? -1 : 1));
}
