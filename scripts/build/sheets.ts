import type { BuildMetafile } from 'bun';
import { join, relative, resolve } from 'node:path';
import stylesPlugin from '../stylesPlugin.ts';
import { reachedFrom } from './imports.ts';

/**
 * A rule for browsers with an older name of `:is()`, after the bundler has unfolded all nesting. Its selector begins
 * after the previous brace or semicolon.
 */
const PREFIXED = /[^{};]{0,2000}:-(?:webkit|moz)-any\([^{}]{0,2000}\{[^{}]{0,4000}\}/g;

/**
 * Removes the bundler's copies of rules with `:is()` under two older names. In those, an element in the brackets has
 * the specificity of a class, so in Chromium, which knows one of them, such a rule would win wrongly. Every supported
 * browser supports `:is()`.
 * @param css of the bundler
 */
export const withoutPrefixedAny = (css: string): string => css.replace(PREFIXED, '');

/** Modules of the first page, which links the styles of these and of all their imports. */
const FIRST = ['web/main.tsx', 'src/subjects/scanners/web/ScannerPage.tsx'];

type Sheets = { first: string; late: string };

/** All style files in the order of the entry point's sheet. @throws Error if one is missing */
function inCascade({ inputs, outputs }: BuildMetafile): string[] {
  const sheets = Object.values(outputs).map(({ cssBundle }) =>
    Object.keys(outputs[cssBundle ?? '']?.inputs ?? {}),
  );
  const [files = []] = sheets.toSorted((a, b) => b.length - a.length);
  const missing = Object.keys(inputs).filter((path) => path.endsWith('.css') && !files.includes(path));
  if (missing.length > 0) throw new Error(`No page would load the styles ${missing.join(', ')}.`);
  return files.map((path) => resolve(path));
}

async function bundleSheet(root: string, files: readonly string[], minify: boolean): Promise<string> {
  const entry = join(root, 'sheet.css');
  const source = files.map((path) => `@import './${relative(root, path)}';`).join('\n');
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: source },
    minify,
    plugins: [stylesPlugin],
  });
  return withoutPrefixedAny((await outputs[0]?.text()) ?? '');
}

/**
 * Splits the styles into two sheets: those of the first page, and those of code that is loaded later. The bundler puts
 * all into the entry's sheet, and adds one per chunk that nothing would load. Files keep their order within each sheet;
 * between the two it does not matter, because each component has its own classes in the layer of its tier.
 * @param root of the project
 * @param metafile of its build, with paths relative to the working directory
 */
export async function splitStyles(root: string, metafile: BuildMetafile, minify: boolean): Promise<Sheets> {
  const first = reachedFrom(
    FIRST.map((file) => join(root, file)),
    metafile.inputs,
  );
  const files = inCascade(metafile);
  const sheet = (isFirst: boolean): Promise<string> =>
    bundleSheet(
      root,
      files.filter((path) => first.has(path) === isFirst),
      minify,
    );
  return { first: await sheet(true), late: await sheet(false) };
}
