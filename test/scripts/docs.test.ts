import { Glob } from 'bun';
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { testByPicture } from '#scripts/screenshots.ts';
import { withSettings } from '#scripts/settingsTable.ts';
import { commandHelp } from '#src/cli/help.ts';
import { SETTINGS } from '#src/config/config.ts';
import { docs, fencedBlocks, type Guide, guides, root } from '../support/guides.ts';

const FOLDERS = ['src', 'web', 'test', 'scripts', 'docs', 'deploy', 'migrations'];

const files: readonly string[] = [
  ...new Glob('*').scanSync({ cwd: root, dot: true }),
  ...FOLDERS.flatMap((folder) => [...new Glob(`${folder}/**`).scanSync({ cwd: root, dot: true })]),
];
const isThere = (path: string): boolean => existsSync(join(root, path));
/** Names that end a path, or name a folder in one: `web/live` and `live/` both match. */
const places = `\n${files.join('\n')}\n`;

const withoutBlocks = (text: string): string => text.replaceAll(/^( *)```[^]*?^\1```$/gm, '');

const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function anchorsOf(path: string): ReadonlySet<string> {
  const text = withoutBlocks(readFileSync(join(root, path), 'utf8'));
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)));
}

/** The problem with a link; null for a good one, and for one that leaves the repository. */
function wrongLink(page: string, link: string): string | null {
  if (/^(?:https?|mailto):/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!isThere(target)) return `${page} links to ${link}, which does not exist`;
  const isMissing = anchor !== undefined && !anchorsOf(target).has(anchor);
  return isMissing ? `${page} links to ${link}, but ${target} has no such heading` : null;
}

const linksOf = ({ text }: Guide): string[] =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

test('every link in the docs leads to an existing file and heading', () => {
  const changelog = { page: 'CHANGELOG.md', text: readFileSync(join(root, 'CHANGELOG.md'), 'utf8') };
  const wrong = [...docs, changelog].flatMap((doc) => linksOf(doc).map((link) => wrongLink(doc.page, link)));
  expect(wrong.filter((one) => one !== null)).toEqual([]);
});

/** Files created by a release, an update or the reader, so they are not in a checkout. */
const MADE = new Set(['sbom.cdx.json', 'release.json', 'verify.mjs', 'state.json', 'deploy/docker/.env']);

const SOURCE =
  /^(?:\.{0,2}\/)?[\w@.<>…*-]+(?:\/[\w@.<>…*-]+)*\.(?:tsx?|mjs|md|json|css|html|sql|service|conf|ya?ml|toml|example|sh)$/;
const IN_FOLDER = new RegExp(`^(?:${FOLDERS.join('|')})/`);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Whether a name, a path or the end of a path exists in the repository. `<name>`, `…` and `*` match anything. */
function exists(page: string, name: string): boolean {
  if (isThere(name) || isThere(join(dirname(page), name))) return true;
  const pattern = name
    .split(/<[^>]*>|…|\*+/)
    .map(escaped)
    .join('[^/\n]*');
  return new RegExp(`[/\n]${pattern.replace(/\/$/, '')}[/\n]`).test(places);
}

/** The files and folders of this repository that a page names. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, span = '']) => span.split(/\s+/))
    .filter((word) => !word.startsWith('/') && !word.includes('<data>'))
    .filter((word) => SOURCE.test(word) || IN_FOLDER.test(word));

test('every file and folder that the docs name exists', () => {
  const missing = docs.flatMap(({ page, text }) => {
    const inBlocks = fencedBlocks({ page, text })
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => code.split(/\s+/))
      .filter((word) => IN_FOLDER.test(word));
    return [...namedIn(withoutBlocks(text)), ...inBlocks]
      .filter((name) => !MADE.has(name.split('/').at(-1) ?? '') && !MADE.has(name))
      .filter((name) => !exists(page, name))
      .map((name) => `${page} names ${name}`);
  });
  expect(missing).toEqual([]);
});

test('every page that code, tests and deploy files link to exists', () => {
  const wrong = files
    .filter((path) => /\.(?:tsx?|yaml|example|conf|service)$|Caddyfile|Dockerfile/.test(path))
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) =>
        wrongLink('.', link)?.replace(/^\./, path),
      ),
    );
  expect(wrong.filter((one) => one !== undefined)).toEqual([]);
});

const textOf = (page: string): string => guides.find((guide) => guide.page === page)?.text ?? '';

test('the table of settings is up to date, and the docs name no unknown setting', () => {
  const page = textOf('docs/configuration.md');
  expect(page).toBe(withSettings(page));
  for (const name of Object.keys(SETTINGS)) expect(page).toContain(`\n| \`${name}\` |`);
  const known = (name: string) =>
    Object.keys(SETTINGS).some((key) => key === name || key.startsWith(`${name}_`));
  const unknown = docs.flatMap(({ page, text }) =>
    (text.match(/\bBELLBIRD_[A-Z\d_]+/g) ?? [])
      .map((name) => name.replace(/_$/, ''))
      .filter((name) => !known(name))
      .map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('every bellbird command and option in the guides is in its help', () => {
  const calls = guides.flatMap(({ page, text }) =>
    [...text.matchAll(/(?:^|(?<!cache)[/`"])bellbird(?:\.next)? ([a-z][\w-]*(?: +[^\s`"#;&|)]+)*)/gm)].map(
      ([, words = '']) => ({
        page,
        words: words.split(/ +/),
      }),
    ),
  );
  expect(calls.length).toBeGreaterThan(20);
  const wrong = calls.filter(({ words }) => {
    const help = commandHelp(words);
    return help === null || words.some((word) => word.startsWith('--') && !help.includes(word));
  });
  expect(wrong.map(({ page, words }) => `${page}: ${words.join(' ')}`)).toEqual([]);
});

test('every picture in the docs is taken by an end-to-end test, and every taken picture is in the docs', () => {
  const shown = docs.flatMap(({ text }) => text.match(/(?<=screenshots\/)[\w-]+(?=\.png)/g) ?? []);
  const kept = readdirSync(join(root, 'docs', 'screenshots'))
    .filter((name) => name.endsWith('.png'))
    .map((name) => name.replace('.png', ''));
  const taken = [...testByPicture().keys()].sort();
  expect(taken.length).toBeGreaterThan(10);
  expect([...new Set(shown)].sort()).toEqual(taken);
  expect(kept.sort()).toEqual(taken);
});
