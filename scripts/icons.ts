import { join } from 'node:path';
import { launchBrowser } from '../test/support/browser.ts';

const folder = join(import.meta.dir, '..', 'web', 'public');
const GROUND = '#10110d';

type Icon = { name: string; size: number; css: string };

const ICONS: readonly Icon[] = [
  // Ordinary icons: as large as possible, transparent.
  ...[192, 512].map((size) => ({ name: `icon-${size}.png`, size, css: 'img { width: 100% }' })),
  // Systems crop this icon, so the content stays in the middle.
  { name: 'icon-maskable-512.png', size: 512, css: `body { background: ${GROUND} } img { width: 62% }` },
  // An iPhone shows transparency as black, and crops the corners.
  { name: 'apple-touch-icon.png', size: 180, css: `body { background: ${GROUND} } img { width: 76% }` },
  // Only the outline of a badge is used, in white.
  { name: 'badge-96.png', size: 96, css: 'img { width: 100%; filter: brightness(0) invert(1) }' },
];

const svg = await Bun.file(join(folder, 'icon.svg')).text();
const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
const browser = await launchBrowser();
const page = await browser.newPage({ colorScheme: 'dark' });
for (const { name, size, css } of ICONS) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>
    html, body { height: 100%; margin: 0; background: transparent }
    body { display: grid; place-items: center }
    ${css}
  </style><img src="${source}">`);
  await page.screenshot({ path: join(folder, name), omitBackground: true });
  console.log(name);
}
await browser.close();
