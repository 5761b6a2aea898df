/**
 * Flags as a few shapes in an 18 × 12 box, drawn at 18 px. Windows has no emoji flags, and images would each be a
 * download. A shape is its kind, its numbers and its colours: `h` and `v` are bands of colours from the top and left,
 * `n` is a Nordic cross (background, cross, inner cross), `r` a rectangle x,y,w,h, `c` a disc x,y,radius, `p` a polygon
 * of points. Small stars and arms are dots or omitted.
 */
const UNION = 'r0,0,9,6b p0,0,9,6w p0,6,9,0w r0,2,9,2w r3.5,0,2,6w r0,2.5,9,1r r4,0,1,6r';

const SHAPES: Readonly<Record<string, string>> = {
  AT: 'hrwr',
  AU: `r0,0,18,12b ${UNION} c4.5,9,1.1w c13.5,2.2,.7w c13.5,9.8,.7w c11.3,5.3,.7w c15.7,4.6,.7w c14.6,7,.4w`,
  BE: 'vkyr',
  BR: 'hg p9,1,17,6,9,11,1,6y c9,6,2.6b',
  CA: 'hw r0,0,4.5,12r r13.5,0,4.5,12r p9,2,10.5,4.5,12.5,5.5,11,8,7,8,5.5,5.5,7.5,4.5r r8.7,8,.6,2r',
  CH: 'hr r7.6,2.5,2.8,7w r5.5,4.6,7,2.8w',
  CL: 'hwr r0,0,6,6b c3,3,1.2w',
  CN: 'hr c3.6,3.8,1.7y c7,1.6,.6y c8.3,3.2,.6y c8.3,5.4,.6y c7,7,.6y',
  CO: 'hyybr',
  CZ: 'hwr p0,0,8,6,0,12b',
  DE: 'hkry',
  DK: 'nrw',
  EMU: 'hb c9,2.2,.6y c10.9,2.7,.6y c12.3,4.1,.6y c12.8,6,.6y c12.3,7.9,.6y c10.9,9.3,.6y c9,9.8,.6y c7.1,9.3,.6y c5.7,7.9,.6y c5.2,6,.6y c5.7,4.1,.6y c7.1,2.7,.6y',
  ES: 'hryyr',
  FI: 'nwb',
  FR: 'vbwr',
  GR: 'hlwlwlwlwl r0,0,6.7,6.7l r2.7,0,1.3,6.7w r0,2.7,6.7,1.3w',
  HK: 'hr c9,3.9,1.5w c11,5.4,1.5w c10.2,7.8,1.5w c7.8,7.8,1.5w c7,5.4,1.5w c9,6,.9r',
  HU: 'hrwg',
  ID: 'hrw',
  IE: 'vgwo',
  IN: 'howg c9,6,1.5b c9,6,.9w',
  IS: 'nbwr',
  IT: 'vgwr',
  JP: 'hw c9,6,3.4r',
  KR: 'hw c9,6,2.8r p6.2,6,11.8,6,10.9,8,9,8.8,7.1,8b',
  MX: 'vgwr c9,6,1.4n',
  NL: 'hrwb',
  NO: 'nrwb',
  NZ: `r0,0,18,12b ${UNION} c13.5,2.4,.8r c13.5,9.6,.8r c11.4,5.4,.8r c15.6,4.8,.8r`,
  PL: 'hwr',
  PT: 'hr r0,0,7,12g c7,6,2.2y c7,6,1.2r',
  RO: 'vbyr',
  RU: 'hwbr',
  SE: 'nly',
  SG: 'hrw c4,3,2r c4,3,1.9w c4.9,3,1.7r',
  SK: 'hwbr r2.5,3.5,4,5r r4.1,4.2,.8,3.4w r3.2,5.2,2.6,.7w',
  TH: 'hrwbbwr',
  TR: 'hr c7,6,3w c7.8,6,2.4r c11,6,1.1w',
  UK: 'r0,0,18,12b p0,0,18,12w p0,12,18,0w r0,4,18,4w r7,0,4,12w r0,4.9,18,2.2r r7.9,0,2.2,12r',
  US: 'hrwrwrwr r0,0,8,7b c1.7,1.6,.5w c4,1.6,.5w c6.3,1.6,.5w c2.8,3.5,.5w c5.2,3.5,.5w c1.7,5.4,.5w c4,5.4,.5w c6.3,5.4,.5w',
  ZA: 'hrrwwbb p0,0,9,6,0,12w r0,4.6,18,2.8g p0,1.2,7.4,6,0,10.8g p0,2.6,5,6,0,9.4y p0,3.2,4.3,6,0,8.8k',
};

/** Other country codes with the same flag. */
const ALIASES: Readonly<Record<string, string>> = { EU: 'EMU', EZ: 'EMU', GB: 'UK' };

const COLOURS: Readonly<Record<string, string>> = {
  r: '#d0213a',
  b: '#123a8c',
  l: '#1668b5',
  g: '#0b7f45',
  y: '#ffce1f',
  o: '#f58220',
  k: '#111',
  w: '#fff',
  n: '#7a5a2e',
};

export type FlagShape =
  | { kind: 'rect'; x: number; y: number; width: number; height: number; fill: string }
  | { kind: 'disc'; x: number; y: number; radius: number; fill: string }
  | { kind: 'area'; points: string; fill: string };

const WIDTH = 18;
const HEIGHT = 12;

const rect = (x: number, y: number, width: number, height: number, fill = '#fff'): FlagShape => ({
  kind: 'rect',
  x,
  y,
  width,
  height,
  fill,
});

/** Equal bands. Each reaches to the end, so that there is no gap between them. */
const bands = (colours: readonly string[], isUpright: boolean): FlagShape[] =>
  colours.map((fill, index) =>
    isUpright
      ? rect((WIDTH / colours.length) * index, 0, WIDTH, HEIGHT, fill)
      : rect(0, (HEIGHT / colours.length) * index, WIDTH, HEIGHT, fill),
  );

const nordic = ([ground, cross, inner]: readonly string[]): FlagShape[] => [
  rect(0, 0, WIDTH, HEIGHT, ground),
  rect(5, 0, 3, HEIGHT, cross),
  rect(0, 4.5, WIDTH, 3, cross),
  ...(inner ? [rect(5.8, 0, 1.4, HEIGHT, inner), rect(0, 5.3, WIDTH, 1.4, inner)] : []),
];

/** A polygon; four numbers are the ends of a diagonal line. */
function area(numbers: readonly number[], fill: string): FlagShape {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers;
  const points = numbers.length === 4 ? [x1, y1 - 1, x2, y2 - 1, x2, y2 + 1, x1, y1 + 1] : numbers;
  return { kind: 'area', points: points.join(' '), fill };
}

function shapesOf(code: string): FlagShape[] {
  const kind = code.charAt(0);
  if (kind === 'h' || kind === 'v' || kind === 'n') {
    const colours = [...code.slice(1)].map((letter) => COLOURS[letter] ?? '#fff');
    return kind === 'n' ? nordic(colours) : bands(colours, kind === 'v');
  }
  const fill = COLOURS[code.slice(-1)] ?? '#fff';
  const numbers = code.slice(1, -1).split(',').map(Number);
  const [x = 0, y = 0, third = 0, fourth = 0] = numbers;
  if (kind === 'r') return [rect(x, y, third, fourth, fill)];
  return [kind === 'c' ? { kind: 'disc', x, y, radius: third, fill } : area(numbers, fill)];
}

export const FLAG_COUNTRIES: readonly string[] = Object.keys(SHAPES);

/**
 * The shapes of a country's flag, back to front.
 * @param countryCode as in events: UK, EMU, otherwise ISO 3166 alpha-2
 * @returns null if there is no drawing for the country
 */
export function flagShapes(countryCode: string): FlagShape[] | null {
  const code = countryCode.toUpperCase();
  return SHAPES[ALIASES[code] ?? code]?.split(' ').flatMap(shapesOf) ?? null;
}
