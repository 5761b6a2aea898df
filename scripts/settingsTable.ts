import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_GROUPS } from '../src/config/config.ts';

const PAGE = join(import.meta.dir, '..', 'docs', 'configuration.md');
const GENERATED =
  /(?<=<!-- settings: made by scripts\/settingsTable\.ts -->\n)[^]*(?=<!-- end of settings -->)/;

/** The settings by theme, as Markdown tables. */
const settingsTable = (): string =>
  Object.entries(SETTING_GROUPS)
    .map(([theme, settings]) => {
      const rows = Object.entries(settings).map(
        ([name, { meaning, shown, fallback }]) =>
          `| \`${name}\` | ${shown ?? `\`${String(fallback)}\``} | ${meaning} |\n`,
      );
      return `\n### ${theme}\n\n| setting | default | meaning |\n|---|---|---|\n${rows.join('')}`;
    })
    .join('')
    .concat('\n');

/** The page with the tables of the current settings. */
export const withSettings = (page: string): string => page.replace(GENERATED, settingsTable);

if (import.meta.main) writeFileSync(PAGE, withSettings(readFileSync(PAGE, 'utf8')));
