type Key = { key: string; altKey: boolean; ctrlKey: boolean; metaKey: boolean };

/** How far a key goes among all tiles, or among those of sectors. */
const STEPS: Readonly<Record<string, { by: 1 | -1; amongSectors: boolean }>> = {
  ArrowRight: { by: 1, amongSectors: false },
  ArrowLeft: { by: -1, amongSectors: false },
  ArrowDown: { by: 1, amongSectors: true },
  ArrowUp: { by: -1, amongSectors: true },
};

/**
 * The tile that a key leads to: left and right the next one, up and down that of the next sector, Home and End the first and
 * the last.
 * @returns null for a key that leads nowhere
 */
export function tileAfter(
  { key, altKey, ctrlKey, metaKey }: Key,
  map: HTMLElement | null,
): HTMLElement | null {
  if (map === null || altKey || ctrlKey || metaKey) return null;
  const tiles = [...map.querySelectorAll<HTMLElement>('[data-tile]')];
  if (key === 'Home') return tiles[0] ?? null;
  if (key === 'End') return tiles.at(-1) ?? null;
  const step = STEPS[key];
  if (!step) return null;
  const from = tiles.findIndex((tile) => tile === document.activeElement);
  for (let place = from + step.by; place >= 0 && place < tiles.length; place += step.by) {
    const tile = tiles[place];
    if (tile && (!step.amongSectors || 'sector' in tile.dataset)) return tile;
  }
  return null;
}
