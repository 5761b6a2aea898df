type Rgb = readonly [number, number, number];

/** OKLCH (lightness 0 to 1, chroma, hue in degrees) to linear sRGB, clipped to the gamut. https://bottosson.github.io/posts/oklab/ */
export function oklchToLinear(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** WCAG 2.2 contrast ratio of two linear colours, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [darker, lighter] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

type Block = { selector: string; declarations: Map<string, string> };

/** The custom properties of a style sheet, block by block; media queries are left out. */
export function parseTokens(css: string): Block[] {
  const plain = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@media[^{]*\{[\s\S]*?\}\s*\}/g, '');
  return [...plain.matchAll(/([^{}]+)\{([^}]*)\}/g)].map(([, selector = '', body = '']) => ({
    selector: selector.trim(),
    declarations: new Map(
      [...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
    ),
  }));
}

/** The tokens as they stand for one theme and one direction palette, in linear sRGB; only opaque OKLCH colours. */
export function colours(blocks: Block[], theme: string, directions: string): Map<string, Rgb> {
  const applies = (selector: string) =>
    selector
      .split(',')
      .some((part) =>
        [...part.matchAll(/\[data-(\w+)=["']([\w-]+)["']\]/g)].every(
          ([, name, value]) => value === (name === 'theme' ? theme : name === 'directions' ? directions : ''),
        ),
      );
  const values = new Map<string, string>();
  for (const block of blocks) {
    if (applies(block.selector)) for (const [name, value] of block.declarations) values.set(name, value);
  }
  const found = new Map<string, Rgb>();
  for (const [name, value] of values) {
    const inner = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    const numbers = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(inner ? (values.get(inner) ?? '') : value);
    if (numbers) found.set(name, oklchToLinear(Number(numbers[1]), Number(numbers[2]), Number(numbers[3])));
  }
  return found;
}
