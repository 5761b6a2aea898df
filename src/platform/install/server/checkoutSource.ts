import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramVersion } from '../shared/updateState.ts';
import { copyExecutable } from '../shared/swap.ts';
import { BUILD_NEED } from '../shared/room.ts';
import { commitsBetween, fetchUpstream, forwardTo, readCheckout } from './checkoutState.ts';
import type { Offer, UpdateSource, Workplace } from './offer.ts';
import { succeeded, TIME_LIMITS, type Tools } from './tools.ts';
import { UpdateError } from '../shared/updateError.ts';
import { parseJson } from '#lib/json.ts';
import { readRecord, readText } from '#lib/read.ts';

/** Refuses sources that ask for another Bun than the one that is here. */
async function needSameBun(tools: Tools, folder: string): Promise<void> {
  const text = await Bun.file(join(folder, 'package.json'))
    .text()
    .catch(() => '{}');
  const parsed = parseJson(text);
  const wanted = readText(readRecord(readRecord(parsed.ok ? parsed.value : null).engines).bun);
  if (wanted === null) return;
  const result = await tools.bun(folder, ['--version'], TIME_LIMITS.local);
  const found = succeeded(result, "Bun can't be run.", TIME_LIMITS.local).trim();
  if (found === wanted || Bun.semver.satisfies(found, wanted)) return;
  throw new UpdateError(
    `The new version is built with Bun ${wanted}, and this machine has ${found}. Install that first.`,
  );
}

/** The sources of one commit in a folder of their own: what is built there can't disturb the checkout. */
async function takeSources(tools: Tools, checkout: string, folder: string, offer: Offer): Promise<void> {
  const { to, branch: name } = offer;
  mkdirSync(folder, { recursive: true });
  const git = async (args: readonly string[]): Promise<string> =>
    succeeded(
      await tools.git(folder, args),
      "git can't take the new sources out of the checkout.",
      TIME_LIMITS.local,
    );
  await git(['init', '--quiet', '--template=']);
  // By the branch's own name and not by its number: an unadvertised commit is not given out.
  const upstream = await tools.git(checkout, ['rev-parse', '--symbolic-full-name', '@{upstream}']);
  for (const ref of ['HEAD', upstream.stdout.trim()]) {
    await git(['fetch', '--quiet', '--depth=1', '--no-tags', '--end-of-options', checkout, ref]);
    if ((await git(['rev-parse', '--verify', 'FETCH_HEAD^{commit}'])).trim() === to.commit) {
      // On a branch of the same name, which the build writes into the executable.
      await git(['checkout', '--quiet', '--force', '-B', name ?? 'main', 'FETCH_HEAD']);
      return;
    }
  }
  throw new UpdateError('The checkout moved while it was being read. Try again.');
}

/** Where a build leaves the executable, and what it knows it by. */
const BUILT = join('dist', 'bellbird');
const STAMP = join('dist', 'stamp.json');
/** It is two short texts. */
const MAX_STAMP = 4096;

/** New versions out of the checkout that the executable lies in: fetched, built in a folder of their own. */
export class CheckoutSource implements UpdateSource {
  readonly kind = 'checkout';
  readonly need = BUILD_NEED;
  #stamp: string | null = null;

  /** @param deps.running the program that runs */
  constructor(
    private readonly folder: string,
    private readonly deps: { tools: Tools; running: ProgramVersion },
  ) {}

  async look(): Promise<Offer> {
    const { folder } = this;
    const { tools, running } = this.deps;
    tools.need('bun');
    const state = await readCheckout(tools, folder);
    await fetchUpstream(tools, folder, state);
    const to = await forwardTo(tools, folder, state);
    // What runs may be behind the checkout, when somebody pulled and did not build.
    const isKnown = await tools.git(folder, ['merge-base', '--is-ancestor', running.commit, to]);
    const from = isKnown.code === 0 ? running.commit : state.head;
    const offered = await commitsBetween(tools, folder, from, to);
    return {
      isNew: to !== running.commit,
      to: { version: null, commit: to },
      branch: state.branch,
      ...offered,
      notes: null,
    };
  }

  async make(offer: Offer, { folder: work, target, step }: Workplace): Promise<void> {
    const { tools } = this.deps;
    const sources = join(work, 'sources');
    await step('Take the sources', async () => {
      await takeSources(tools, this.folder, sources, offer);
      await needSameBun(tools, sources);
    });
    await step('Install libraries', async () => {
      const result = await tools.bun(sources, ['install', '--frozen-lockfile'], TIME_LIMITS.install);
      succeeded(result, 'The libraries of the new version could not be installed.', TIME_LIMITS.install);
    });
    await step('Build', () => this.#build(sources, target));
  }

  async #build(sources: string, target: string): Promise<void> {
    const result = await this.deps.tools.bun(sources, [join('scripts', 'build.ts')], TIME_LIMITS.build);
    succeeded(result, 'The new version does not build.', TIME_LIMITS.build);
    const built = join(sources, BUILT);
    if (!existsSync(built))
      throw new UpdateError('The build ended well and left no executable.', result.tail);
    copyExecutable(built, target);
    const stamped = join(sources, STAMP);
    this.#stamp = existsSync(stamped) ? readFileSync(stamped, 'utf8').slice(0, MAX_STAMP) : null;
  }

  async checkout({ to }: Offer): Promise<{ folder: string; from: string; to: string }> {
    // Once more: minutes have passed, in which somebody may have worked in it.
    const { head } = await readCheckout(this.deps.tools, this.folder);
    return { folder: this.folder, from: head, to: to.commit };
  }

  /**
   * So that `bun start` knows the executable again and does not build it once more. Written last: it must never be
   * beside an older one.
   */
  settle(): void {
    try {
      if (this.#stamp !== null) writeFileSync(join(this.folder, STAMP), this.#stamp);
    } catch {
      // It costs one more build.
    }
  }
}
