import { gauss, mix, pick, unit } from './random.ts';
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
export type Kind = 'stock' | 'cdi' | 'reit' | 'fund';
/** What is invented about a listing, the code apart; price and market cap in AUD. */
export type Shape = { kind: Kind; name: string; sector: string; price: number; marketCap: number | null };

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
export function inventListings(count: number, real: ReadonlySet<string>): (Shape & { code: string })[] {
  const taken = new Set([...real, ...wordsOf(REAL_CODES)]);
  return Array.from({ length: count }, (_, index) => {
    const seed = mix(0xbe11b12d, index);
    const shape = shapeOf(index, seed);
    const code = codeOf(shape.name, seed, taken);
    taken.add(code);
    return { code, ...shape };
  });
}
