const TOKENS = [
  'ground',
  'line',
  'line-strong',
  'text',
  'text-muted',
  'accent',
  'olive',
  'warn',
  'stale',
  'up',
  'down',
  'average-short',
  'average-medium',
  'average-long',
] as const;
type Token = (typeof TOKENS)[number];

/** The tokens that a chart draws with, as `rgb()`: the drawing library reads no other colour space. */
export type ChartColours = Readonly<Record<Token, string>> & { font: string; isMonochrome: boolean };

/** Any CSS colour as `rgb(r, g, b)`, by painting it: what the browser's own reading of a style gives depends on its version. */
function painter(): (colour: string) => string {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return (colour) => {
    if (context === null) return 'rgb(128, 128, 128)';
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `rgb(${red}, ${green}, ${blue})`;
  };
}

let known: { look: string; colours: ChartColours } | null = null;

/** The colours and the font of the page as it looks now; they are read once for each look. */
export function coloursNow(): ChartColours {
  const { theme, directions } = document.documentElement.dataset;
  const look = `${theme ?? ''} ${directions ?? ''}`;
  if (known?.look !== look) known = { look, colours: readColours() };
  return known.colours;
}

function readColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const paint = painter();
  const colours = Object.fromEntries(
    TOKENS.map((token) => [token, paint(style.getPropertyValue(`--${token}`).trim())]),
  ) as Record<Token, string>;
  return {
    ...colours,
    // On a light ground the accent is too pale for a line.
    accent: document.documentElement.dataset['theme'] === 'light' ? colours.stale : colours.accent,
    font: style.getPropertyValue('--font').trim(),
    isMonochrome: colours.up === colours.down,
  };
}

/** The same colour, let through. @param rgb `rgb(r, g, b)` */
export const faded = (rgb: string, alpha: number): string =>
  rgb.replace('rgb(', 'rgba(').replace(')', `, ${alpha})`);

/** Calls back when the theme or the direction palette changed. Returns the stop function. */
export function onLooks(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-directions'] });
  return () => observer.disconnect();
}
