import { wordsOf } from '#lib/text.ts';
import type { SecurityType } from '#market/rules/stock.ts';
import { gauss, mix, pick, textSeed, unit } from './random.ts';

/**
 * Real listings, so that quote links work: code|name|sector|price in AUD|market cap in million AUD (0:
 * unknown)|type. Prices and sizes are round start values, not quotes.
 */
const REAL_LISTINGS = `
BHP|BHP Group Limited|Materials|42|213000|stock
CBA|Commonwealth Bank of Australia|Banks|158|264000|stock
RIO|Rio Tinto Limited|Materials|128|47500|stock
NAB|National Australia Bank Limited|Banks|41|125000|stock
WBC|Westpac Banking Corporation|Banks|37|127000|stock
ANZ|ANZ Group Holdings Limited|Banks|35|104000|stock
CSL|CSL Limited|Pharmaceuticals & Biotechnology|182|88000|stock
MQG|Macquarie Group Limited|Financial Services|200|76000|stock
WES|Wesfarmers Limited|Consumer Discretionary|82|93000|stock
GMG|Goodman Group|Real Estate Investment Trusts|31|63000|reit
TLS|Telstra Group Limited|Telecommunication Services|4.9|55800|stock
WOW|Woolworths Group Limited|Consumer Staples|29|35400|stock
FMG|Fortescue Ltd|Materials|20.2|62200|stock
TCL|Transurban Group|Transportation|14.5|45200|stock
WDS|Woodside Energy Group Ltd|Energy|25.4|48200|stock
ALL|Aristocrat Leisure Limited|Consumer Services|60|37200|stock
WTC|WiseTech Global Limited|Software & Services|70|23500|stock
QBE|QBE Insurance Group Limited|Insurance|19.6|29500|stock
COL|Coles Group Limited|Consumer Staples|22|29500|stock
REA|REA Group Ltd|Media & Entertainment|205|27000|stock
BXB|Brambles Limited|Commercial & Professional Services|23.5|32200|stock
NST|Northern Star Resources Ltd|Materials|25.6|36600|stock
EVN|Evolution Mining Limited|Materials|11.3|22800|stock
JHX|James Hardie Industries plc|Materials|28|16300|cdi
XRO|Xero Limited|Software & Services|130|21900|stock
RMD|ResMed Inc|Health Care Equipment & Services|38.5|56000|cdi
SUN|Suncorp Group Limited|Insurance|19.8|21400|stock
ORG|Origin Energy Limited|Utilities|12.1|20800|stock
CPU|Computershare Limited|Software & Services|36|21000|stock
STO|Santos Limited|Energy|6.5|21100|stock
FPH|Fisher & Paykel Healthcare Corporation Limited|Health Care Equipment & Services|33|19300|stock
COH|Cochlear Limited|Health Care Equipment & Services|285|18600|stock
SCG|Scentre Group|Real Estate Investment Trusts|4.05|21100|reit
QAN|Qantas Airways Limited|Transportation|10.1|15200|stock
IAG|Insurance Australia Group Limited|Insurance|7.9|18700|stock
S32|South32 Limited|Materials|3.1|13900|stock
MPL|Medibank Private Limited|Insurance|4.85|13400|stock
SOL|Washington H. Soul Pattinson and Company Limited|Financial Services|38|14400|stock
PME|Pro Medicus Limited|Health Care Equipment & Services|255|26600|stock
TNE|Technology One Limited|Software & Services|33|10800|stock
ASX|ASX Limited|Financial Services|57.5|11200|stock
SHL|Sonic Healthcare Limited|Health Care Equipment & Services|22.4|11100|stock
NEM|Newmont Corporation|Materials|138|15200|cdi
NXT|NEXTDC Limited|Software & Services|14.2|9100|stock
SGP|Stockland|Real Estate Investment Trusts|6.1|14700|reit
VCX|Vicinity Centres|Real Estate Investment Trusts|2.5|11400|reit
MGR|Mirvac Group|Real Estate Investment Trusts|2.2|8700|reit
DXS|Dexus|Real Estate Investment Trusts|7.1|7640|reit
GPT|GPT Group|Real Estate Investment Trusts|5.4|10300|reit
CAR|CAR Group Limited|Media & Entertainment|34|12800|stock
SEK|Seek Limited|Media & Entertainment|26|9280|stock
AMC|Amcor plc|Materials|12.8|18200|cdi
ORI|Orica Limited|Materials|22.6|10600|stock
BSL|BlueScope Steel Limited|Materials|22.9|10000|stock
JBH|JB Hi-Fi Limited|Consumer Discretionary|99|10800|stock
HVN|Harvey Norman Holdings Limited|Consumer Discretionary|7|8720|stock
LYC|Lynas Rare Earths Limited|Materials|14.6|14600|stock
PLS|PLS Group Limited|Materials|3.7|11900|stock
MIN|Mineral Resources Limited|Materials|45|8870|stock
IGO|IGO Limited|Materials|5.6|4240|stock
SFR|Sandfire Resources Limited|Materials|16.2|7480|stock
WHC|Whitehaven Coal Limited|Energy|7.1|5930|stock
NHC|New Hope Corporation Limited|Energy|4|3380|stock
YAL|Yancoal Australia Limited|Energy|5.4|7130|stock
BPT|Beach Energy Limited|Energy|1.19|2720|stock
KAR|Karoon Energy Ltd|Energy|1.62|1180|stock
AGL|AGL Energy Limited|Utilities|9.2|6190|stock
APA|APA Group|Utilities|9.1|11900|stock
ALD|Ampol Limited|Energy|30.5|7270|stock
VEA|Viva Energy Group Limited|Energy|2.02|3260|stock
TWE|Treasury Wine Estates Limited|Food, Beverage & Tobacco|5.9|4790|stock
A2M|The a2 Milk Company Limited|Food, Beverage & Tobacco|9.1|6600|stock
BKW|Brickworks Limited|Materials|33|5030|stock
SGH|SGH Limited|Capital Goods|49|19900|stock
AZJ|Aurizon Holdings Limited|Transportation|3.4|5950|stock
QUB|Qube Holdings Limited|Transportation|4.2|7440|stock
ALX|Atlas Arteria|Transportation|5|7250|stock
DOW|Downer EDI Limited|Commercial & Professional Services|7.3|4900|stock
WOR|Worley Limited|Capital Goods|13.1|6830|stock
LLC|Lendlease Group|Real Estate|5.3|3660|stock
CHC|Charter Hall Group|Real Estate Investment Trusts|23|10900|reit
CLW|Charter Hall Long WALE REIT|Real Estate Investment Trusts|4.1|2930|reit
CQR|Charter Hall Retail REIT|Real Estate Investment Trusts|4.1|2380|reit
BWP|BWP Trust|Real Estate Investment Trusts|3.85|2800|reit
HMC|HMC Capital Limited|Real Estate Investment Trusts|3.6|1480|reit
NSR|National Storage REIT|Real Estate Investment Trusts|2.45|3410|reit
RGN|Region Group|Real Estate Investment Trusts|2.4|2780|reit
HDN|HomeCo Daily Needs REIT|Real Estate Investment Trusts|1.36|2830|reit
CIP|Centuria Industrial REIT|Real Estate Investment Trusts|3.35|2120|reit
ARF|Arena REIT|Real Estate Investment Trusts|3.7|1500|reit
INA|Ingenia Communities Group|Real Estate|5.4|2200|reit
GOZ|Growthpoint Properties Australia|Real Estate Investment Trusts|2.4|1810|reit
CMW|Cromwell Property Group|Real Estate Investment Trusts|0.46|1200|reit
CNI|Centuria Capital Group|Real Estate Investment Trusts|2.1|1740|reit
SUL|Super Retail Group Limited|Consumer Discretionary|16.8|3790|stock
PMV|Premier Investments Limited|Consumer Discretionary|19.4|3110|stock
BRG|Breville Group Limited|Consumer Durables & Apparel|31|4490|stock
NCK|Nick Scali Limited|Consumer Discretionary|24|2050|stock
LOV|Lovisa Holdings Limited|Consumer Discretionary|31|3430|stock
TPW|Temple & Webster Group Ltd|Consumer Discretionary|15|1780|stock
KGN|Kogan.com Ltd|Consumer Discretionary|3.4|340|stock
FLT|Flight Centre Travel Group Limited|Consumer Services|12.6|2700|stock
DMP|Domino's Pizza Enterprises Limited|Consumer Services|20.4|1930|stock
CKF|Collins Foods Limited|Consumer Services|10.6|1250|stock
MTS|Metcash Limited|Consumer Staples|3.5|3850|stock
EDV|Endeavour Group Limited|Consumer Staples|3.7|6630|stock
ELD|Elders Limited|Food, Beverage & Tobacco|7.4|1550|stock
BGA|Bega Cheese Limited|Food, Beverage & Tobacco|5.7|1740|stock
GNC|GrainCorp Limited|Food, Beverage & Tobacco|8|1780|stock
TAH|Tabcorp Holdings Limited|Consumer Services|1|2290|stock
SGR|The Star Entertainment Group Limited|Consumer Services|0.105|300|stock
LNW|Light & Wonder Inc|Consumer Services|135|11300|cdi
IEL|IDP Education Limited|Consumer Services|5.6|1560|stock
NWL|Netwealth Group Limited|Financial Services|28|6850|stock
HUB|HUB24 Limited|Financial Services|96|7800|stock
AMP|AMP Limited|Financial Services|1.8|4550|stock
PPT|Perpetual Limited|Financial Services|19.4|2230|stock
MFG|Magellan Financial Group Limited|Financial Services|9.6|1640|stock
PNI|Pinnacle Investment Management Group Limited|Financial Services|18|4060|stock
GQG|GQG Partners Inc|Financial Services|1.75|5170|cdi
ZIP|Zip Co Limited|Financial Services|3.3|4250|stock
CGF|Challenger Limited|Financial Services|9.1|6260|stock
BEN|Bendigo and Adelaide Bank Limited|Banks|10.9|6180|stock
BOQ|Bank of Queensland Limited|Banks|6.6|4360|stock
AUB|AUB Group Limited|Insurance|33|4310|stock
SDF|Steadfast Group Limited|Insurance|5.3|5880|stock
NHF|NIB Holdings Limited|Insurance|7.1|3470|stock
RHC|Ramsay Health Care Limited|Health Care Equipment & Services|35|8080|stock
ANN|Ansell Limited|Health Care Equipment & Services|34|4920|stock
NAN|Nanosonics Limited|Health Care Equipment & Services|4.1|1250|stock
PNV|PolyNovo Limited|Health Care Equipment & Services|1.3|900|stock
TLX|Telix Pharmaceuticals Limited|Pharmaceuticals & Biotechnology|15|5080|stock
MSB|Mesoblast Limited|Pharmaceuticals & Biotechnology|2.5|3200|stock
NEU|Neuren Pharmaceuticals Limited|Pharmaceuticals & Biotechnology|18.4|2320|stock
CUV|Clinuvel Pharmaceuticals Limited|Pharmaceuticals & Biotechnology|11.4|570|stock
SIG|Sigma Healthcare Limited|Health Care Equipment & Services|3|34600|stock
ACL|Australian Clinical Labs Limited|Health Care Equipment & Services|2.75|530|stock
PXA|PEXA Group Limited|Real Estate|14.6|2590|stock
IRE|Iress Limited|Software & Services|9|1680|stock
MP1|Megaport Limited|Software & Services|14.3|2530|stock
WBT|Weebit Nano Ltd|Semiconductors|4.3|900|stock
BRN|BrainChip Holdings Ltd|Semiconductors|0.19|390|stock
SDR|SiteMinder Limited|Software & Services|6.1|1690|stock
GDG|Generation Development Group Limited|Financial Services|5.8|2310|stock
CAT|Catapult Sports Ltd|Software & Services|5.9|1690|stock
NUF|Nufarm Limited|Materials|2.4|920|stock
ORA|Orora Limited|Materials|2.15|2650|stock
RWC|Reliance Worldwide Corporation Limited|Capital Goods|4|3080|stock
REH|Reece Limited|Capital Goods|12|7480|stock
MND|Monadelphous Group Limited|Capital Goods|25|2480|stock
NWH|NRW Holdings Limited|Capital Goods|5|2290|stock
MAH|Macmahon Holdings Limited|Materials|0.6|1290|stock
PRN|Perenti Limited|Materials|2.8|2620|stock
EMR|Emerald Resources NL|Materials|5.4|3550|stock
PRU|Perseus Mining Limited|Materials|5.3|7170|stock
RRL|Regis Resources Limited|Materials|7|5300|stock
RMS|Ramelius Resources Limited|Materials|3.6|6900|stock
WGX|Westgold Resources Limited|Materials|5.6|5280|stock
GMD|Genesis Minerals Limited|Materials|6.4|7300|stock
CMM|Capricorn Metals Ltd|Materials|13.3|6060|stock
VAU|Vault Minerals Limited|Materials|4.7|4800|stock
BGL|Bellevue Gold Limited|Materials|1.3|1950|stock
RSG|Resolute Mining Limited|Materials|1.05|2240|stock
WAF|West African Resources Limited|Materials|3.1|3530|stock
OBM|Ora Banda Mining Limited|Materials|1.25|2390|stock
PNR|Pantoro Gold Limited|Materials|5.2|2050|stock
BC8|Black Cat Syndicate Limited|Materials|1.15|830|stock
PDN|Paladin Energy Ltd|Energy|8.9|3990|stock
BOE|Boss Energy Ltd|Energy|1.85|770|stock
DYL|Deep Yellow Limited|Energy|1.75|1700|stock
LOT|Lotus Resources Limited|Energy|0.195|550|stock
ILU|Iluka Resources Limited|Materials|6.4|2740|stock
LTR|Liontown Limited|Materials|1.4|3980|stock
VUL|Vulcan Energy Resources Limited|Materials|5.2|1270|stock
INR|ioneer Ltd|Materials|0.19|500|stock
CXO|App Lithium Ltd|Materials|0.21|550|stock
ARU|Arafura Rare Earths Limited|Materials|0.27|980|stock
CHN|Chalice Mining Limited|Materials|1.75|680|stock
SYR|Syrah Resources Limited|Materials|0.37|490|stock
NIC|Nickel Industries Limited|Materials|0.79|3420|stock
DRR|Deterra Royalties Limited|Materials|4.2|2220|stock
CIA|Champion Iron Limited|Materials|5.4|2820|stock
MGX|Mount Gibson Iron Limited|Materials|0.385|450|stock
SMR|Stanmore Resources Limited|Materials|2.4|2160|stock
CRN|Coronado Global Resources Inc|Materials|0.32|540|cdi
STX|Strike Energy Limited|Energy|0.12|410|stock
AEL|Amplitude Energy Limited|Energy|0.27|720|stock
TPG|TPG Telecom Limited|Telecommunication Services|3.9|7420|stock
SPK|Spark New Zealand Limited|Telecommunication Services|2.05|3870|stock
CNU|Chorus Limited|Telecommunication Services|8.3|3600|stock
SLC|Superloop Limited|Telecommunication Services|2.7|1390|stock
MAQ|Macquarie Technology Group Limited|Software & Services|66|1700|stock
NEC|Nine Entertainment Co. Holdings Limited|Media & Entertainment|1.14|1810|stock
NWS|News Corporation|Media & Entertainment|45|5600|cdi
EVT|EVT Limited|Consumer Services|13.6|2210|stock
CWY|Cleanaway Waste Management Limited|Commercial & Professional Services|2.55|5710|stock
SGM|Sims Limited|Materials|15.4|2980|stock
AIA|Auckland International Airport Limited|Transportation|7.1|12000|stock
AIZ|Air New Zealand Limited|Transportation|0.525|1720|stock
DBI|Dalrymple Bay Infrastructure Limited|Transportation|4.8|2380|stock
VNT|Ventia Services Group Limited|Commercial & Professional Services|5.6|4620|stock
SRG|SRG Global Limited|Capital Goods|2.7|1640|stock
IPH|IPH Limited|Commercial & Professional Services|3.6|940|stock
ARB|ARB Corporation Limited|Automobiles & Components|34|2830|stock
CCP|Credit Corp Group Limited|Financial Services|14.8|1010|stock
HSN|Hansen Technologies Limited|Software & Services|5.4|1110|stock
DRO|DroneShield Limited|Capital Goods|2.4|2100|stock
EOS|Electro Optic Systems Holdings Limited|Capital Goods|5.8|1120|stock
ASB|Austal Limited|Capital Goods|6.6|2790|stock
CDA|Codan Limited|Technology Hardware & Equipment|29|5270|stock
XYZ|Block Inc|Financial Services|98|5200|cdi
AAI|Alcoa Corporation|Materials|57|2900|cdi
360|Life360 Inc|Software & Services|40|6900|cdi
GGP|Greatland Resources Limited|Materials|7.4|4970|stock
4DX|4DMedical Limited|Health Care Equipment & Services|2.3|1180|stock
AFI|Australian Foundation Investment Company Limited|Investment Companies|7.2|9000|fund
ARG|Argo Investments Limited|Investment Companies|9.2|7030|fund
MLT|Milton Corporation Trust|Investment Companies|5.1|0|fund
WAM|WAM Capital Limited|Investment Companies|1.75|1980|fund
VAS|Vanguard Australian Shares Index ETF|Exchange Traded Funds|107|0|fund
VGS|Vanguard MSCI Index International Shares ETF|Exchange Traded Funds|149|0|fund
VTS|Vanguard US Total Market Shares Index ETF|Exchange Traded Funds|495|0|fund
VHY|Vanguard Australian Shares High Yield ETF|Exchange Traded Funds|80|0|fund
VAF|Vanguard Australian Fixed Interest Index ETF|Exchange Traded Funds|45.5|0|fund
IVV|iShares S&P 500 ETF|Exchange Traded Funds|68|0|fund
IOZ|iShares App S&P/ASX 200 ETF|Exchange Traded Funds|35|0|fund
IOO|iShares Global 100 ETF|Exchange Traded Funds|178|0|fund
NDQ|BetaShares NASDAQ 100 ETF|Exchange Traded Funds|57|0|fund
A200|BetaShares Australia 200 ETF|Exchange Traded Funds|146|0|fund
AAA|BetaShares Australian High Interest Cash ETF|Exchange Traded Funds|50.1|0|fund
HACK|BetaShares Global Cybersecurity ETF|Exchange Traded Funds|15.9|0|fund
ETHI|BetaShares Global Sustainability Leaders ETF|Exchange Traded Funds|16.8|0|fund
QUAL|VanEck MSCI International Quality ETF|Exchange Traded Funds|58|0|fund
MVW|VanEck Australian Equal Weight ETF|Exchange Traded Funds|40|0|fund
STW|SPDR S&P/ASX 200 ETF|Exchange Traded Funds|78|0|fund
`;

/** Real codes with J, Q, X or Z in the middle, the pattern of invented codes. */
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

type Kind = 'stock' | 'cdi' | 'reit' | 'fund';
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

/** A different pair of words for each index, scattered: 1237 is coprime to their number. */
function nameOf(index: number): string {
  const pairs = FIRST.length * LAST.length;
  const at = (index * 1237) % pairs;
  return `${FIRST[Math.floor(at / LAST.length)] ?? 'Alder'}${LAST[at % LAST.length] ?? 'brook'}`;
}

/** An invented code: it begins like the name, has J, Q, X or Z in the middle, and is not in `taken`. */
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
  throw new Error('No unused stock code is left: there are too many listings.');
}

const between = (low: number, high: number, at: number): number => low * (high / low) ** at;

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
 * Invented companies and funds, to give the market its real size. They do not depend on the seed, so a
 * watchlist survives a change of it.
 * @param real codes they must not use
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

export type Listing = {
  code: string;
  name: string;
  sector: string;
  kind: Kind;
  securityType: SecurityType;
  id: number;
  /** AUD; the price moves around it over the years. */
  basePrice: number;
  /** Shares on issue; null if the market cap is unknown, as for most funds. */
  shares: number | null;
  usualVolume: number;
  /** Standard deviation of a day's return, as a fraction. */
  volatility: number;
  beta: number;
  tradesPerMinute: number;
  suspended: boolean;
  /** Chance of an announcement on a day, and of a price-sensitive one. */
  announcementRate: number;
  sensitiveRate: number;
};

const LISTING_COUNT = 2000;

const SECURITY: Readonly<Record<Kind, SecurityType>> = {
  stock: 'stock',
  cdi: 'cdi',
  reit: 'stock',
  fund: 'fund',
};

/** Usual daily traded value, AUD. Medians by size from scans recorded in January 2026. */
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

export function createListings(): Listing[] {
  const real = REAL_LISTINGS.trim().split('\n').map(readReal);
  const codes = new Set(real.map((one) => one.code));
  const invented = inventListings(LISTING_COUNT - real.length, codes);
  return [
    ...real.map(({ code, shape }) => listingOf(code, shape, true)),
    ...invented.map((shape) => listingOf(shape.code, shape, false)),
  ].sort((a, b) => (a.code < b.code ? -1 : 1));
}
