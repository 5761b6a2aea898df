import type { SecurityType } from '#market/rules/stock.ts';
import { gauss, mix, textSeed, unit, pick } from './random.ts';
import { REAL_LISTINGS } from './realListings.ts';
import { wordsOf } from '#lib/text.ts';

/** Codes of real listings that have J, Q, X or Z in the middle, as invented codes do. */
const REAL_CODES = `AJL AJX AQC AQD AQI AQN AQX AQZ AXE AXI AXL AXN AXP AZI AZJ AZY BXB BXN CQE CQR CQT CXL CXO CXU CXZ
CZN CZR DJW DXB DXC DXI DXN DXS EQR EQT EQU EQX EXL EXP EXR EXT EZL EZZ FXG FZR GQG HXL HZN HZR IJH IJP IJR IXC IXI
IXJ IXR IXU IZZ KZR MQG MQR MXI MXO MXR MXT NXD NXG NXL NXM NXN NXS NXT NZK NZM OZF OZM OZR OZZ PXA PXR PXX QXR RXL
RXR RZI SQX SXE SXL TXR TZL TZN WJL WQG WZR NZL NXR AZL`;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const FIRST =
  `Alder Amber Anvil Ash Aster Banksia Basalt Bittern Boulder Bramble Briar Bronze Burr Candle Cedar Cinder
Clover Cobble Coral Crane Curlew Dapple Dawn Drift Dune Eagle Ember Falcon Fern Finch Flint Gale Garnet Glen Granite
Grevillea Gull Hakea Harrow Hazel Heron Hollow Indigo Iron Ivory Jarrah Jasper Juniper Kestrel Kurra Lantern Larch
Lark Linden Lunar Mallee Maple Marble Marlin Merle Mulga Myrtle Noble Oaken Ochre Olive Onyx Opal Orchid Osprey
Pebble Pelican Pepper Petrel Pine Plover Quill Quoll Raven Reed Rowan Russet Saffron Sage Sedge Slate Sorrel Sparrow
Spinifex Stone Summit Swift Tallow Teal Tern Thistle Thorn Timber Topaz Umber Vale Velvet Violet Wander Wattle Willow
Winter Wren Yarra Yellow Zephyr`.split(/\s/);

const LAST =
  'brook creek crest dale field ford gate haven hill march mere moor point reach ridge rock shore stead'
    .split(' ')
    .concat(['vale', 'wood']);

const BUSINESS: readonly [string, readonly [string, ...string[]], number][] = [
  [
    'Materials',
    ['Minerals', 'Resources', 'Gold', 'Metals', 'Lithium', 'Copper', 'Mining', 'Exploration'],
    50,
  ],
  ['Energy', ['Energy', 'Petroleum', 'Uranium'], 8],
  ['Software & Services', ['Software', 'Digital', 'Systems'], 7],
  ['Financial Services', ['Financial', 'Capital', 'Finance'], 5],
  ['Pharmaceuticals & Biotechnology', ['Therapeutics', 'Biosciences', 'Pharma'], 6],
  ['Health Care Equipment & Services', ['Medical', 'Health', 'Diagnostics'], 5],
  ['Capital Goods', ['Engineering', 'Industries'], 5],
  ['Consumer Services', ['Leisure', 'Education'], 3],
  ['Consumer Discretionary', ['Retail', 'Brands'], 3],
  ['Media & Entertainment', ['Media', 'Studios'], 3],
  ['Food, Beverage & Tobacco', ['Foods', 'Wines'], 3],
  ['Technology Hardware & Equipment', ['Devices', 'Sensors'], 2],
];

/** What a listing is; it decides volatility, volume and announcements. */
type Kind = 'stock' | 'cdi' | 'reit' | 'fund';
/** What is invented about a listing, the code apart; price and market cap in AUD. */
type Shape = { kind: Kind; name: string; sector: string; price: number; marketCap: number | null };

function business(at: number): { sector: string; noun: string } {
  const total = BUSINESS.reduce((sum, entry) => sum + entry[2], 0);
  let left = at * total;
  for (const [sector, nouns, weight] of BUSINESS) {
    if (left < weight) return { sector, noun: pick(nouns, left / weight) };
    left -= weight;
  }
  return { sector: 'Materials', noun: 'Minerals' };
}

/** A different pair of the two word lists for each index, in a scattered order: 1237 shares no factor with their number. */
function nameOf(index: number): string {
  const pairs = FIRST.length * LAST.length;
  const at = (index * 1237) % pairs;
  return `${FIRST[Math.floor(at / LAST.length)] ?? 'Alder'}${LAST[at % LAST.length] ?? 'brook'}`;
}

/** An invented code: it begins like the name, has J, Q, X or Z in the middle, and is not among `taken`. */
function codeOf(name: string, seed: number, taken: ReadonlySet<string>): string {
  for (let attempt = 0; attempt < 5000; attempt += 1) {
    const first =
      attempt < 300
        ? (name[0] ?? 'A')
        : pick(['J', 'K', 'L', 'N', 'O', 'U', 'V', 'Y', 'Z'], unit(seed, attempt));
    const middle = pick(['Q', 'Z', 'J', 'X'], unit(seed, attempt + 5000));
    const last = LETTERS[mix(seed, attempt + 10_000) % 26] ?? 'A';
    const code = first + middle + last;
    if (!taken.has(code)) return code;
  }
  throw new Error('No invented stock code is left; the list of listings has grown too long.');
}

/** Interpolates between two prices evenly in their logarithm. */
const between = (low: number, high: number, at: number): number => low * (high / low) ** at;

/** How many of the invented listings are of each kind; the others are small companies. In this order. */
const COUNTS = { funds: 330, propertyTrusts: 16, largeCompanies: 44, overOneDollar: 240 };

const FUND_NOUNS = ['Index ETF', 'Income Fund', 'Active ETF', 'Global Shares ETF', 'Bond ETF'] as const;

const fund = (name: string, seed: number): Shape => ({
  kind: 'fund',
  name: `${name} ${pick(FUND_NOUNS, unit(seed, 2))}`,
  sector: 'Exchange Traded Funds',
  price: between(1.1, 90, unit(seed, 1)),
  marketCap: null,
});

const propertyTrust = (name: string, seed: number): Shape => ({
  kind: 'reit',
  name: `${name} Property Trust`,
  sector: 'Real Estate Investment Trusts',
  price: between(0.7, 4, unit(seed, 1)),
  marketCap: between(5e7, 9e8, unit(seed, 3)),
});

/** @param index among the companies, the large ones first */
function company(name: string, seed: number, index: number): Shape {
  const { sector, noun } = business(unit(seed, 2));
  const isForeign = unit(seed, 5) < 0.11;
  const kind = isForeign ? 'cdi' : 'stock';
  const full = `${name} ${noun} ${isForeign ? 'Inc' : 'Limited'}`;
  const size = unit(seed, 3);
  const at = unit(seed, 1);
  if (index < COUNTS.largeCompanies) {
    const price = between(1.2, 30, at);
    return { kind, name: full, sector, price, marketCap: between(1.15e9, 4e9, size) };
  }
  if (index < COUNTS.largeCompanies + COUNTS.overOneDollar) {
    const price = between(1.05, 9, at);
    return { kind, name: full, sector, price, marketCap: between(4e7, 7.5e8, size) };
  }
  // Most small companies trade between half a cent and fifty cents.
  const price = Math.min(0.93, Math.max(0.002, 0.07 * Math.exp(1.35 * gauss(seed, 4))));
  return { kind: 'stock', name: full, sector, price, marketCap: between(4e6, 6e7, at) * (1 + 4 * price) };
}

function shapeOf(index: number, seed: number): Shape {
  const name = nameOf(index);
  if (index < COUNTS.funds) return fund(name, seed);
  const afterFunds = index - COUNTS.funds;
  if (afterFunds < COUNTS.propertyTrusts) return propertyTrust(name, seed);
  return company(name, seed, afterFunds - COUNTS.propertyTrusts);
}

/**
 * Companies and funds that do not exist, so that the market has its real breadth. They are the same for every seed
 * of the simulator: a watchlist survives a change of the seed.
 * @param count how many; @param real codes they must not use
 */
function inventListings(count: number, real: ReadonlySet<string>): (Shape & { code: string })[] {
  const taken = new Set([...real, ...wordsOf(REAL_CODES)]);
  return Array.from({ length: count }, (_, index) => {
    const seed = mix(0xbe11b12d, index);
    const shape = shapeOf(index, seed);
    const code = codeOf(shape.name, seed, taken);
    taken.add(code);
    return { code, ...shape };
  });
}

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
