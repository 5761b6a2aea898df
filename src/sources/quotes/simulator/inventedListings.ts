import { gauss, mix, pick, unit } from './random.ts';

/** Codes of real listings that the pattern of invented codes (J, Q, X or Z in the middle) would hit. */
const TAKEN = `AJL AJX AQC AQD AQI AQN AQX AQZ AXE AXI AXL AXN AXP AZI AZJ AZY BXB BXN CQE CQR CQT CXL CXO CXU CXZ
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
Winter Wren Yarra Yellow Zephyr`.split(/\s+/);

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

export type Kind = 'stock' | 'cdi' | 'reit' | 'fund';
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

/** Every pair of the two word lists once, in a scattered order: 1237 shares no factor with the number of pairs. */
function nameOf(index: number): string {
  const pairs = FIRST.length * LAST.length;
  const at = (index * 1237) % pairs;
  return `${FIRST[Math.floor(at / LAST.length)] ?? 'Alder'}${LAST[at % LAST.length] ?? 'brook'}`;
}

/** An invented code that starts like its name, has J, Q, X or Z in the middle, and is neither real nor taken. */
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

/** A price whose logarithm is spread evenly between two others. */
const between = (low: number, high: number, at: number): number => low * (high / low) ** at;

function shapeOf(
  index: number,
  seed: number,
  counts: { large: number; dear: number; funds: number; reits: number },
): Shape {
  const name = nameOf(index);
  const at = unit(seed, 1);
  if (index < counts.funds) {
    const noun = pick(
      ['Index ETF', 'Income Fund', 'Active ETF', 'Global Shares ETF', 'Bond ETF'],
      unit(seed, 2),
    );
    return {
      kind: 'fund',
      name: `${name} ${noun}`,
      sector: 'Exchange Traded Funds',
      price: between(1.1, 90, at),
      marketCap: null,
    };
  }
  if (index < counts.funds + counts.reits) {
    return {
      kind: 'reit',
      name: `${name} Property Trust`,
      sector: 'Real Estate Investment Trusts',
      price: between(0.7, 4, at),
      marketCap: between(5e7, 9e8, unit(seed, 3)),
    };
  }
  const { sector, noun } = business(unit(seed, 2));
  const foreign = unit(seed, 5) < 0.11;
  const kind = foreign ? 'cdi' : 'stock';
  const full = `${name} ${noun} ${foreign ? 'Inc' : 'Limited'}`;
  const rest = index - counts.funds - counts.reits;
  if (rest < counts.large) {
    return {
      kind,
      name: full,
      sector,
      price: between(1.2, 30, at),
      marketCap: between(1.15e9, 4e9, unit(seed, 3)),
    };
  }
  if (rest < counts.large + counts.dear) {
    return {
      kind,
      name: full,
      sector,
      price: between(1.05, 9, at),
      marketCap: between(4e7, 7.5e8, unit(seed, 3)),
    };
  }
  // Most small companies trade between half a cent and fifty cents.
  const price = Math.min(0.93, Math.max(0.002, 0.07 * Math.exp(1.35 * gauss(seed, 4))));
  return { kind: 'stock', name: full, sector, price, marketCap: between(4e6, 6e7, at) * (1 + 4 * price) };
}

/**
 * Companies and funds that do not exist, so that the market has its real breadth. They are the same for every seed
 * of the simulator: a watchlist survives a change of the seed.
 * @param count how many; @param real codes they must not use
 */
export function inventListings(count: number, real: ReadonlySet<string>): (Shape & { code: string })[] {
  const taken = new Set([...real, ...TAKEN.split(/\s+/)]);
  const counts = { funds: 330, reits: 16, large: 44, dear: 240 };
  return Array.from({ length: count }, (_, index) => {
    const seed = mix(0xbe11b12d, index);
    const shape = shapeOf(index, seed, counts);
    const code = codeOf(shape.name, seed, taken);
    taken.add(code);
    return { code, ...shape };
  });
}
