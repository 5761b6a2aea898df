import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { settingsFile } from '../../src/backupSettings.ts';
import { loadConfig } from '../../src/config.ts';
import { guides, root } from '../support/guides.ts';
import { systemdSettings } from '../support/systemdSettings.ts';

const isComment = (line: string): boolean => line === '' || line.startsWith('#');
const isSettings = (block: string): boolean => {
  const lines = block.split('\n').filter((line) => !isComment(line));
  return lines.length > 0 && lines.every((line) => /^[A-Z_\d]+=/.test(line) && !/ \.\/bellbird/.test(line));
};

/** The fenced and the indented blocks of a page, without their indent. */
const blocksOf = (page: string): string[] => [
  ...[...page.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, block = '']) => block),
  ...[...page.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.replaceAll(/^ {4}/gm, '')),
];

const blocks = guides.flatMap(({ page, text }) =>
  blocksOf(text)
    .filter(isSettings)
    .map((block) => ({ page, block })),
);
const example = await Bun.file(join(root, 'deploy/systemd/env.example')).text();

test('reads a file as systemd does', () => {
  expect(
    systemdSettings(
      '# c\n;c\nA=1 # x\nB="a b" # x\nC=\'a\\b\'\nD=a\\\\b\\\nc  \n E = "\\$x\\y""z"\nno line\n',
    ),
  ).toEqual({ A: '1 # x', B: 'a b# x', C: 'a\\b', D: 'a\\bc', E: '$x\\yz' });
});

test('finds the settings of the pages', () => expect(blocks.length).toBeGreaterThanOrEqual(4));

for (const { page, block } of [
  ...blocks,
  { page: 'env.example', block: example.replaceAll(/^#(?=B)/gm, '') },
]) {
  test(`${page}: settings that begin with ${block.split('\n')[0]} are read by systemd as they are meant`, () => {
    const settings = systemdSettings(block);
    expect(Object.keys(settings).length).toBeGreaterThan(0);
    expect(loadConfig(settings).warnings).toEqual([]);
  });
}

test('the copy of the settings that goes with a backup is read as it was written', () => {
  const settings = {
    BELLBIRD_BACKUP_PASSPHRASE: `it's \\ "5$" \`x\``,
    BELLBIRD_DATA: '/data',
    BELLBIRD_FEED: 'ingest',
  };
  expect(systemdSettings(settingsFile({ ...settings, HOME: '/root' }))).toEqual(settings);
});
