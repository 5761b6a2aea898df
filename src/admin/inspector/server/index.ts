import { serve } from '#platform/http/routes.ts';
import { INTERNAL_STATE } from '../contract.ts';
import type { App, Part } from '#platform/app.ts';
import { AppError, refusedFor } from '#platform/http/errors.ts';
import { FairQueue, QueueFullError } from '#lib/fairQueue.ts';
import { humanSize } from '#lib/wording.ts';
import type { Figures, Inspection } from '#lib/inspection.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/turns.ts';
import { readRecord } from '#lib/read.ts';
import type { sectionsAnswer, snapshotAnswer } from '../answers/state.ts';
import { snapshotOf } from './snapshot.ts';

const NO_SECTION = 'There is no such section. Reload the list.';
const BUSY = 'Too many sections are being read at once. Try again in a moment.';
const UNREADABLE = 'This section could not be read. See the log for the reason.';

type Sections = Wire<typeof sectionsAnswer>;
type StateSnapshot = Wire<typeof snapshotAnswer>;
type Section = Sections['sections'][number];
type SectionHead = Pick<Section, 'key' | 'label' | 'description' | 'type'>;

const MAX_FIGURE = 300;

/** Converts any figure of a part, so that an unexpected one does not break the others. */
function readFigure(value: unknown): Figures[string] {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.slice(0, MAX_FIGURE);
}

const readFigures = (summary: unknown): Figures =>
  Object.fromEntries(
    Object.entries(readRecord(summary))
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, readFigure(value)]),
  );

type Inspect = () => Inspection;

const MAX_WAITING = 60;
const RETRY_SECONDS = 2;

/** Runs work one at a time, because all of it together would block the event loop. */
function createTurns() {
  const queue = new FairQueue({ slots: 1, maxPerCaller: MAX_WAITING, maxWaiting: MAX_WAITING });
  const caller = { address: 'inspector', name: 'inspector', rank: 0 } as const;
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await queue.run(caller, async () => {
        // Waits, so that the previous answer is sent first.
        await nextTurn();
        return work();
      });
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw refusedFor(RETRY_SECONDS, 503, BUSY, error);
    }
  };
}

/** The sections in the order of the parts, each followed by its subsections. */
function sectionsOf(parts: Readonly<Record<string, Part>>): Map<string, Inspect> {
  const sections = new Map<string, Inspect>();
  for (const [key, part] of Object.entries(parts)) {
    if (part.inspect)
      sections.set(key, () => part.inspect?.() ?? { label: key, summary: {}, data: () => null });
    for (const [more, inspect] of Object.entries(part.alsoInspect ?? {})) sections.set(more, inspect);
  }
  return sections;
}

const headOf = (key: string, { label, description = '', type = 'object' }: Inspection): SectionHead => ({
  key,
  label,
  description,
  type,
});

export class InternalState {
  readonly #inTurn = createTurns();
  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly parts: () => Readonly<Record<string, Part>>,
  ) {
    this.#log = app.log.child('inspector');
  }

  /** Every section with its figures; one that fails reports its error. @throws AppError 503 if too many wait */
  sections(): Promise<Sections> {
    return this.#inTurn(() => this.#readSections());
  }

  /**
   * The content of a section.
   * @throws AppError 404 for an unknown section, 500 if it cannot be read, 503 if too many requests wait
   */
  async snapshot(key: string): Promise<StateSnapshot> {
    const inspect = sectionsOf(this.parts()).get(key);
    if (!inspect) throw new AppError(404, NO_SECTION);
    return this.#inTurn(() => this.#readSnapshot(key, inspect));
  }

  async #readSections(): Promise<Sections> {
    const sections: Section[] = [];
    for (const [key, inspect] of sectionsOf(this.parts())) {
      sections.push(this.#sectionOf(key, inspect));
      await nextTurn();
    }
    return { sections, fetchedAt: this.app.clock.now() };
  }

  #sectionOf(key: string, inspect: Inspect): Section {
    try {
      const inspection = inspect();
      return { ...headOf(key, inspection), stats: this.#figuresOf(inspection), error: null };
    } catch (error) {
      this.#log.warn('Could not inspect a part of the server', { part: key, error });
      return { key, label: key, description: '', type: '', stats: {}, error: UNREADABLE };
    }
  }

  async #readSnapshot(key: string, inspect: Inspect): Promise<StateSnapshot> {
    const { redactor, clock } = this.app;
    try {
      const inspection = inspect();
      const { data, approxBytes } = await snapshotOf(inspection.data(), { redactor, clock });
      return {
        ...headOf(key, inspection),
        data,
        approxBytes,
        approxHumanSize: humanSize(approxBytes),
        summary: this.#figuresOf(inspection),
        fetchedAt: clock.now(),
      };
    } catch (error) {
      throw new AppError(500, UNREADABLE, { cause: error });
    }
  }

  #figuresOf({ summary }: Inspection): Figures {
    return readFigures(this.app.redactor.value(summary));
  }
}

const routesOf = (state: InternalState) =>
  serve(INTERNAL_STATE, {
    'GET /api/admin/internal-state': () => state.sections(),
    'GET /api/admin/internal-state/:key': ({ params }) => state.snapshot(params.key),
  });

export function createInternalState(app: App, parts: () => Readonly<Record<string, Part>>) {
  const service = new InternalState(app, parts);
  return { name: 'internalState', service, routes: () => routesOf(service) } satisfies Part;
}
