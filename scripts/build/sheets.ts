import { join, relative, resolve } from 'node:path';
import type { BuildMetafile } from 'bun';
import stylesPlugin from '../stylesPlugin.ts';
import { reachedFrom } from './imports.ts';
import { withoutPrefixedAny } from './prefixedAny.ts';

/** What a page shows first: it links the styles of these and of all that they import. */
const FIRST = ['web/main.tsx', 'src/subjects/scanners/web/ScannerPage.tsx'];

export type Sheets = { first: string; late: string };

/**
 * All style files in the order of the entry point's own sheet.
 * @throws Error when one is not in it
 */
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
  // Beside the sources: the plugin reads what lies among them from the disk.
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
 * The web application's styles as two sheets: of what stands on the page first, and of all that is fetched later. The
 * bundler itself puts all into the entry point's, and makes one for each chunk besides, which nothing would load. In
 * each the files keep their order; between the two it does not count, as every component has classes of its own in the
 * cascade layer of its tier.
 * @param root of the project
 * @param metafile of its build, whose paths are relative to the working directory
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
