/** Reports the tints of changed cells: under the rows, or in the cell itself if it is pinned over others. */

const DIRECTIONS = ['up', 'down'] as const;

const px = (text: string | undefined): number => Number.parseFloat(text ?? '');

/** The start and width of a cell, from its row’s and its neighbours’ styles. */
function areaOf(cell: HTMLElement): string {
  const line = cell.closest('tr') as HTMLElement;
  const before = [...line.children].slice(0, [...line.children].indexOf(cell)) as HTMLElement[];
  const left = before.reduce((sum, { style }) => sum + px(style.width), 0);
  return `M${left} ${px(/translateY\((.+)px\)/.exec(line.style.transform)?.[1])}h${px(cell.style.width)}v`;
}

const tintsOf = (cell: Element): SVGSVGElement =>
  cell.closest('.table-scroll')?.querySelector('.table-tints') as SVGSVGElement;

/** The flash that a table is running now. */
export const runningFlash = (within: Element): Animation | undefined =>
  tintsOf(within)
    .getAnimations()
    .find(({ playState }) => playState === 'running');

/** The direction of a cell’s tint; null if it has none. */
export function tintOf(cell: Element): string | null {
  const own = cell.getAttribute('data-flash');
  if (own !== null || !runningFlash(cell)) return own;
  const area = areaOf(cell as HTMLElement);
  const isIn = (direction: string) =>
    tintsOf(cell).querySelector(`.table-tints-${direction}`)?.getAttribute('d')?.includes(area);
  return DIRECTIONS.find(isIn) ?? null;
}

export const tintedCells = (): Element[] =>
  [...document.querySelectorAll('tr[data-id] > .cell')].filter((cell) => tintOf(cell) !== null);
