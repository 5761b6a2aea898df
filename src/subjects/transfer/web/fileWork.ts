import { type ReadonlySignal, signal } from '@preact/signals-react';
import { setUpChanged } from '#web/shared/settings.ts';
import { type Refusal, refuse, type Result } from '#lib/result.ts';
import { tellOfScans } from '#subjects/scanners/web/shared/scans/scanChannel.ts';
import { MAX_TRANSFER_BYTES } from '../answers/file.ts';
import { TOO_LARGE } from '../rules/checkFile.ts';
import { TRANSFER_KINDS } from '../rules/kind.ts';
import {
  type Asked,
  type Chosen,
  fetchPreview,
  type Preview,
  readFile,
  takeFile,
} from './shared/requests.ts';

type Shown = {
  preview: Preview | null;
  /** Why there is no preview, or why it was not taken; its field is `file` where the file itself is at fault. */
  error: Refusal | null;
  /** It is looked at, by another choice too, or it is being taken. */
  busy: 'looking' | 'taking' | null;
};

const ALL: Chosen = { without: new Set(), switchOn: false };

const contentOf = async (file: File): Promise<Result<unknown>> =>
  file.size > MAX_TRANSFER_BYTES ? refuse(TOO_LARGE, 'file') : readFile(file);

/** What is shown after an answer: what stood there stays where there is none. */
function shownAfter(answer: Result<Preview>, before: Preview | null): Shown {
  if (!answer.ok) return { preview: before, error: answer.error, busy: null };
  const { error } = answer.value;
  return {
    preview: answer.value,
    error: error === null ? null : { field: null, message: error },
    busy: null,
  };
}

/** What a chosen file would change by what is taken of it, and its taking. */
export class FileWork {
  readonly #shown = signal<Shown>({ preview: null, error: null, busy: 'looking' });
  readonly #chosen = signal<Chosen>(ALL);
  #content: unknown = undefined;
  #turn = 0;

  constructor(private readonly file: File) {}

  get shown(): ReadonlySignal<Shown> {
    return this.#shown;
  }

  get chosen(): ReadonlySignal<Chosen> {
    return this.#chosen;
  }

  /** Reads the file and asks about it. */
  async begin(): Promise<void> {
    const read = await contentOf(this.file);
    if (!read.ok) {
      this.#shown.value = shownAfter(read, null);
      return;
    }
    this.#content = read.value;
    await this.look(ALL);
  }

  /** Asks what the file would change by a choice; what was shown stays until the answer. */
  async look(chosen: Chosen = this.#chosen.peek()): Promise<void> {
    this.#turn += 1;
    const mine = this.#turn;
    this.#chosen.value = chosen;
    this.#show({ error: null, busy: 'looking' });
    const answer = await fetchPreview(this.#asked());
    // Otherwise another choice was made meanwhile.
    if (mine === this.#turn) this.#shown.value = shownAfter(answer, this.#shown.peek().preview);
  }

  /** Has it taken as the preview says. */
  async take(): Promise<void> {
    const { preview, busy } = this.#shown.peek();
    if (preview === null || busy !== null) return;
    this.#show({ error: null, busy: 'taking' });
    const answer = await takeFile(this.#asked(), preview.seen);
    this.#shown.value = shownAfter(answer, preview);
    if (answer.ok && answer.value.isDone) tellOfSetUp();
  }

  #show(change: Partial<Shown>): void {
    this.#shown.value = { ...this.#shown.peek(), ...change };
  }

  #asked(): Asked {
    return { file: this.#content, ...this.#chosen.peek(), kinds: TRANSFER_KINDS };
  }
}

/** Also where no stream tells this window. */
function tellOfSetUp(): void {
  setUpChanged();
  tellOfScans();
}
