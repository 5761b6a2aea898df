import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuildMetafile, BunPlugin } from 'bun';
import type { AssetEntry, AssetManifest } from '#platform/http/assets.ts';
import signalsPlugin from '../signalsPlugin.ts';
import stylesPlugin from '../stylesPlugin.ts';
import { arranged, arrangedWorker, type Bundled, type Output, unarranged } from './firstScreen.ts';
import { reachedFrom } from './imports.ts';
import { splitStyles } from './sheets.ts';

export type WebReport = { initial: Map<string, number>; lazy: Map<string, number> };

export type WebOptions = {
  root: string;
  outdir: string;
  commit?: string;
  extraScript?: string;
  /** Compresses faster and keeps readable code and source maps, for development. */
  development?: boolean;
};

const CONTENT_TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  webmanifest: 'application/manifest+json',
  txt: 'text/plain; charset=utf-8',
};

/**
 * Bundles the web application into `outdir`: hashed files under `assets/`, `index.html`, `web/public` as it is, brotli
 * and gzip forms of compressible files, and `manifest.json`, which the server reads.
 */
export async function buildWeb(options: WebOptions): Promise<WebReport> {
  const { root, outdir } = options;
  const { files: bundled, metafile } = await bundle(join(root, 'web', 'main.tsx'), options, true);
  const worker = await script('web/live/streamWorker.ts', options);
  const overview = await script('web/live/overviewScript.ts', options);
  const ledger = await script('src/subjects/calls/web/ledger/verify/ledgerWorker.ts', options);
  const serviceWorkerScript = await serviceWorker(options);
  const bundledEntry = bundled.find(({ artifact }) => artifact.kind === 'entry-point');
  if (!bundledEntry) throw new Error(NO_ENTRY);
  const needed = reachedFrom([resolve(bundledEntry.artifact.path)], metafile.outputs);
  const preloadedNames = bundled
    .filter((one) => one !== bundledEntry && needed.has(resolve(one.artifact.path)))
    .map(({ output }) => output.url);

  const sheets = await splitStyles(root, metafile, !options.development);
  const styles = sheetOutput('main', sheets.first);
  const lateStyles = sheetOutput('late', sheets.late);
  const app = options.development ? unarranged(bundled) : await arranged(bundled, metafile, needed);
  const entry = app.get(bundledEntry.output.url) ?? bundledEntry.output;
  const preloaded = preloadedNames.flatMap((url) => app.get(url) ?? []);
  const outputs = [...app.values(), { ...worker, policy: WORKER_POLICY }, overview, styles, lateStyles];
  outputs.push({ ...ledger, policy: SILENT_POLICY });
  const html = await fillPage(options, {
    scripts: [entry, ...preloaded].map(({ url }) => url),
    styles: styles.url,
    lateStyles: lateStyles.url,
    worker: worker.url,
    overview: overview.url,
    ledger: ledger.url,
  });
  const page = pageOutput(html);
  outputs.push(page, serviceWorkerScript, ...(await publicFiles(root)));

  const sizes = await writeAll(outputs, outdir, options.development ?? false, policyFor(html, options));
  const initialUrls = new Set([page, entry, worker, ...preloaded, styles].map(({ url }) => url));
  const pick = (initial: boolean) =>
    new Map([...sizes].filter(([url]) => initialUrls.has(url) === initial && /\.(js|css|html)$/.test(url)));
  return { initial: pick(true), lazy: pick(false) };
}

const pageOutput = (html: string): Output => ({
  url: '/index.html',
  file: 'index.html',
  bytes: new TextEncoder().encode(html),
  immutable: false,
});

const NO_ENTRY = 'The bundler gave no entry point for the web application.';

async function script(file: string, options: WebOptions): Promise<Output> {
  const { files } = await bundle(join(options.root, file), options, false);
  const [output] = (options.development ? unarranged(files) : await arrangedWorker(files)).values();
  if (!output) throw new Error(NO_ENTRY);
  return output;
}

const sheetOutput = (name: string, css: string): Output => {
  const bytes = new TextEncoder().encode(css);
  const file = `assets/${name}-${new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 8)}.css`;
  return { url: `/${file}`, file, bytes, immutable: true };
};

async function bundle(
  entrypoint: string,
  { root, development = false }: WebOptions,
  splitting: boolean,
): Promise<{ files: Bundled[]; metafile: BuildMetafile }> {
  const plugins: BunPlugin[] = [signalsPlugin, stylesPlugin];
  const result = await Bun.build({
    entrypoints: [entrypoint],
    root,
    target: 'browser',
    format: splitting ? 'esm' : 'iife',
    splitting,
    metafile: true,
    minify: !development,
    sourcemap: development ? 'inline' : 'none',
    naming: { entry: '[name]-[hash].[ext]', chunk: '[name]-[hash].[ext]', asset: '[name]-[hash].[ext]' },
    publicPath: '/assets/',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins,
  });
  if (!result.metafile) throw new Error('The bundler did not say what it bundled.');
  const files = await Promise.all(
    result.outputs.map(async (artifact) => {
      const name = artifact.path.replace(/^\.?\//, '');
      const bytes = new Uint8Array(await artifact.arrayBuffer());
      if (new TextDecoder().decode(bytes).includes('jsxDEV')) {
        throw new Error(`${name} contains React's development build.`);
      }
      return { artifact, output: { url: `/assets/${name}`, file: `assets/${name}`, bytes, immutable: true } };
    }),
  );
  return { files, metafile: result.metafile };
}

/** The notifications' service worker, at a constant address, because browsers identify it by that. */
async function serviceWorker(options: WebOptions): Promise<Output> {
  const entry = join(options.root, 'src', 'subjects', 'devices', 'web', 'worker', 'serviceWorker.ts');
  const { files } = await bundle(entry, options, false);
  const made = files.find(({ artifact }) => artifact.kind === 'entry-point');
  if (!made) throw new Error('The bundler gave no entry point for the service worker.');
  return { url: '/sw.js', file: 'sw.js', bytes: made.output.bytes, immutable: false };
}

async function fillPage(
  { root, extraScript, commit = 'development' }: WebOptions,
  links: {
    scripts: string[];
    styles: string;
    lateStyles: string;
    worker: string;
    overview: string;
    ledger: string;
  },
): Promise<string> {
  const template = await Bun.file(join(root, 'web', 'index.html')).text();
  if (!template.includes('<!--assets-->')) throw new Error('web/index.html has no <!--assets--> mark.');
  const [main, ...preloads] = links.scripts;
  const tags = [
    `<link rel="stylesheet" href="${links.styles}">`,
    ...preloads.map((url) => `<link rel="modulepreload" href="${url}">`),
    `<script type="module" src="${main}"></script>`,
    ...(extraScript ? [`<script>${extraScript}</script>`] : []),
  ];
  return (
    template
      // Indentation and comments are only for readers of the source.
      .replace(/^ +(\/\/.*\n)?/gm, '')
      .replace('<!--assets-->', () => tags.join('\n    '))
      .replace(
        /<html\b/,
        `<html data-stream-worker="${links.worker}" data-overview="${links.overview}" data-ledger-worker="${links.ledger}" data-late-styles="${links.lateStyles}" data-commit="${commit}"`,
      )
  );
}

/** Policy of a worker, which contacts the server and loads rarely used code as a script. */
const WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SILENT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Hashes of the inline elements of a kind, for a content security policy. */
const inlineHashes = (html: string, element: 'script' | 'style'): string[] =>
  [...html.matchAll(new RegExp(`<${element}(?![^>]*\\bsrc=)[^>]*>([\\s\\S]*?)</${element}>`, 'g'))].map(
    ([, code = '']) => `'sha256-${new Bun.CryptoHasher('sha256').update(code).digest('base64')}'`,
  );

const policyFor = (html: string, { development }: WebOptions): string =>
  [
    "default-src 'none'",
    `script-src ${["'self'", ...inlineHashes(html, 'script')].join(' ')}`,
    "worker-src 'self'",
    `style-src ${["'self'", ...inlineHashes(html, 'style')].join(' ')}`,
    "img-src 'self'",
    `connect-src 'self'${development ? ' http://127.0.0.1:* http://localhost:*' : ''}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

async function publicFiles(root: string): Promise<Output[]> {
  const folder = join(root, 'web', 'public');
  const outputs: Output[] = [];
  const found = await Array.fromAsync(new Bun.Glob('**/*').scan({ cwd: folder, onlyFiles: true })).catch(
    () => [],
  );
  for (const file of found.sort()) {
    const bytes = await Bun.file(join(folder, file)).bytes();
    outputs.push({ url: `/${file}`, file, bytes, immutable: false });
  }
  return outputs;
}

async function writeAll(
  outputs: readonly Output[],
  outdir: string,
  quick: boolean,
  contentSecurityPolicy: string,
): Promise<Map<string, number>> {
  const entries: Record<string, AssetEntry> = {};
  const sizes = new Map<string, number>();
  const brotli = { [constants.BROTLI_PARAM_QUALITY]: quick ? 4 : 11 };
  await mkdir(join(outdir, 'assets'), { recursive: true });
  for (const { url, file, bytes, immutable, policy } of outputs) {
    const extension = file.slice(file.lastIndexOf('.') + 1);
    const contentType = CONTENT_TYPES[extension];
    if (!contentType)
      throw new Error(`${file}: no content type is known for .${extension} (scripts/build/web.ts).`);
    const compressible = !/^image\/(png|x-icon)/.test(contentType);
    await Bun.write(join(outdir, file), bytes);
    sizes.set(url, bytes.byteLength);
    if (compressible) {
      const br = brotliCompressSync(bytes, { params: brotli });
      await Bun.write(join(outdir, `${file}.br`), br);
      await Bun.write(join(outdir, `${file}.gz`), gzipSync(bytes, { level: quick ? 4 : 9 }));
      sizes.set(url, br.byteLength);
    }
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32);
    entries[url] = {
      file,
      contentType,
      hash,
      immutable,
      encodings: compressible ? ['br', 'gzip'] : [],
      ...(policy && { policy }),
    };
  }
  const manifest: AssetManifest = { entries, contentSecurityPolicy };
  await Bun.write(join(outdir, 'manifest.json'), JSON.stringify(manifest));
  return sizes;
}
