import './transfer.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Toggle } from '#ui/Field.tsx';
import { type Told, TRANSFER_KINDS, type TransferKindName } from '../rules/kind.ts';
import {
  callsText,
  kindLabel,
  type KindPreview,
  kindText,
  namesText,
  takenCount,
} from '../rules/previewText.ts';
import {
  type Preview,
  type Asked,
  type Chosen,
  fetchPreview,
  readFile,
  takeFile,
} from './shared/requests.ts';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import { setUpChanged } from '#web/shared/settings.ts';
import { type Refusal, refuse, type Result } from '#lib/result.ts';
import { tellOfScans } from '#web/shared/scanChannel.ts';
import { MAX_TRANSFER_BYTES } from '../answers/file.ts';
import { TOO_LARGE } from '../rules/checkFile.ts';

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
class FileWork {
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

type FilePreviewProps = { file: File; onClose(): void };

/** In their order; a kind that this version does not know is not shown. */
const kindsOf = ({ kinds }: Preview): KindPreview[] =>
  TRANSFER_KINDS.flatMap((kind) => {
    const found = kinds.find((one) => one.kind === kind);
    return found ? [{ ...found, kind } as KindPreview] : [];
  });

/** What a file would change, by kinds that can be left out, and the button that has it taken. Import it lazily. */
export function FilePreview({ file, onClose }: FilePreviewProps): ReactNode {
  const [work] = useState(() => new FileWork(file));
  useEffect(() => void work.begin(), [work]);
  const { preview, error, busy } = work.shown.value;
  const place = useRef<HTMLElement>(null);
  const head = useRef<HTMLHeadingElement>(null);
  // Where the keyboard goes on; the buttons are behind it.
  useEffect(() => head.current?.focus(), []);
  const isThere = preview !== null || error !== null;
  useEffect(() => {
    if (isThere) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isThere]);
  const isDone = preview?.isDone ?? false;
  return (
    <section
      ref={place}
      className="file-preview line-above stack self-stretch"
      aria-labelledby="file-preview line-above stack self-stretch"
      aria-busy={busy !== null}
    >
      <h3 id="file-preview" ref={head} tabIndex={-1}>
        {isDone ? `${file.name} was brought in` : `What ${file.name} would change here`}
      </h3>
      {error !== null && (
        <Banner
          variant={preview === null ? 'error' : 'warn'}
          action={error.field !== 'file' && <Button onClick={() => void work.look()}>Look again</Button>}
        >
          {error.message}
        </Banner>
      )}
      {preview === null && busy !== null && <SkeletonRows rows={4} label="Reading the file…" />}
      {preview !== null && <Body preview={preview} work={work} />}
      <Foot work={work} onClose={onClose} />
    </section>
  );
}

function Body({ preview, work }: { preview: Preview; work: FileWork }): ReactNode {
  const chosen = work.chosen.value;
  const { busy } = work.shown.value;
  const kinds = kindsOf(preview);
  const calls = callsText(preview.calls);
  const choose = (kind: TransferKindName, isIn: boolean) => {
    const without = new Set(chosen.without);
    if (isIn) without.delete(kind);
    else without.add(kind);
    void work.look({ ...chosen, without });
  };
  const hasAlerts = kinds.some(({ kind }) => kind === 'alerts' || kind === 'scanAlerts');
  return (
    <>
      {kinds.length === 0 && <EmptyState>There is nothing in this file to bring in.</EmptyState>}
      <ul>
        {kinds.map((one) => (
          <KindLine
            key={one.kind}
            found={one}
            isIn={!chosen.without.has(one.kind)}
            onChoose={preview.isDone ? null : (isIn) => choose(one.kind, isIn)}
          />
        ))}
      </ul>
      {calls !== null && <p className="muted">{calls}</p>}
      {hasAlerts && !preview.isDone && (
        <Toggle
          label="Switch on the alerts that were on (they come in switched off otherwise)"
          checked={chosen.switchOn}
          disabled={busy === 'taking'}
          onChange={(switchOn) => void work.look({ ...chosen, switchOn })}
        />
      )}
    </>
  );
}

type KindLineProps = { found: KindPreview; isIn: boolean; onChoose: ((isIn: boolean) => void) | null };

function KindLine({ found, isIn, onChoose }: KindLineProps): ReactNode {
  const label = (
    <>
      <strong>{kindLabel(found.kind)}</strong> <span>{kindText(found)}</span>
    </>
  );
  return (
    <li>
      {onChoose === null ? (
        <p>{label}</p>
      ) : (
        <label className="check">
          <input type="checkbox" checked={isIn} onChange={({ target }) => onChoose(target.checked)} />
          <span>{label}</span>
        </label>
      )}
      {found.leftOut.length + found.notes.length > 0 && (
        <ul className="file-told muted break-words">
          {found.leftOut.map((told) => (
            <ToldLine key={told.text} told={told} before="Left out: " />
          ))}
          {found.notes.map((told) => (
            <ToldLine key={told.text} told={told} before="" />
          ))}
        </ul>
      )}
    </li>
  );
}

const ToldLine = ({ told, before }: { told: Told; before: string }): ReactNode => (
  <li>
    <span className="file-names">{`${before}${namesText(told)}`}</span> {told.text}
  </li>
);

function Foot({ work, onClose }: { work: FileWork; onClose(): void }): ReactNode {
  const { preview, busy } = work.shown.value;
  const count = preview === null ? 0 : takenCount(kindsOf(preview));
  const things = count === 1 ? '1 thing' : `${count} things`;
  const isDone = preview?.isDone ?? false;
  return (
    <>
      <p className="muted" role="status">
        {isDone && `Done: ${things} came in.`}
        {busy === null &&
          preview !== null &&
          !isDone &&
          count === 0 &&
          'Everything that can come in is here already.'}
      </p>
      <div className="wrap gap-2-3">
        {isDone ? (
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            {count > 0 && (
              <Button variant="primary" disabled={busy !== null} onClick={() => void work.take()}>
                {busy === 'taking' ? 'Bringing in…' : `Bring in ${things}`}
              </Button>
            )}
            <Button disabled={busy === 'taking'} onClick={onClose}>
              {count > 0 ? 'Cancel' : 'Close'}
            </Button>
          </>
        )}
      </div>
    </>
  );
}
