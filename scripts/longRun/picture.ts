export type Sample = { minute: number; residentMb: number; launcherMb: number; corePercent: number };

export type Line = { name: string; samples: readonly Sample[] };

const WIDTH = 790;
const HEIGHT = 300;
const MARGIN = { left: 48, right: 180, top: 34, bottom: 36 };
const COLOURS = ['#2f7ed8', '#d9822b'];
const STEP_MB = 50;
const GRID = 5;
const LINE = 15;

const innerWidth = WIDTH - MARGIN.left - MARGIN.right;
const innerHeight = HEIGHT - MARGIN.top - MARGIN.bottom;

/** @returns an SVG picture of resident memory over time, one line per server, for light and dark themes */
export function memoryPicture(title: string, lines: readonly Line[]): string {
  const samples = lines.flatMap((line) => line.samples);
  const minutes = Math.max(1, ...samples.map(({ minute }) => minute));
  const top =
    Math.ceil(Math.max(STEP_MB, ...samples.map(({ residentMb }) => residentMb)) / STEP_MB) * STEP_MB;
  const x = (minute: number): number => MARGIN.left + (minute / minutes) * innerWidth;
  const y = (megabytes: number): number => MARGIN.top + (1 - megabytes / top) * innerHeight;
  const text = (at: { x: number; y: number; anchor?: string }, words: string): string =>
    `<text x="${at.x.toFixed(0)}" y="${at.y.toFixed(0)}" text-anchor="${at.anchor ?? 'start'}">${words}</text>`;
  const levels = Array.from({ length: top / STEP_MB + 1 }, (_, index) => index * STEP_MB);
  const moments = Array.from({ length: GRID + 1 }, (_, index) => (minutes / GRID) * index);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#808080">`,
    text({ x: MARGIN.left, y: 18 }, title),
    ...levels.map(
      (level) =>
        `<path d="M${MARGIN.left} ${y(level).toFixed(1)}h${innerWidth}" stroke="#80808040"/>${text({ x: MARGIN.left - 6, y: y(level) + 4, anchor: 'end' }, `${level}`)}`,
    ),
    ...moments.map((minute) =>
      text({ x: x(minute), y: HEIGHT - 14, anchor: 'middle' }, `${minute.toFixed(0)} min`),
    ),
    ...lines.map(({ name, samples: own }, index) => {
      const colour = COLOURS[index % COLOURS.length] ?? '#808080';
      const points = own.map(
        ({ minute, residentMb }) => `${x(minute).toFixed(1)},${y(residentMb).toFixed(1)}`,
      );
      const last = own.at(-1)?.residentMb ?? 0;
      return `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points.join(' ')}"/><g fill="${colour}">${text({ x: WIDTH - MARGIN.right + 8, y: y(last) + 4 + (index - (lines.length - 1) / 2) * LINE }, name)}</g>`;
    }),
    '</svg>\n',
  ].join('\n');
}
