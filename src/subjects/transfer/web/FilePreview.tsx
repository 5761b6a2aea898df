import './transfer.css';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { Toggle } from '#ui/Field.tsx';
import { type Note, TRANSFER_KINDS, type TransferKindName } from '../rules/kind.ts';
import {
  callsText,
  kindLabel,
  type KindPreview,
  kindText,
  namesText,
  importedCount,
} from '../rules/previewText.ts';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import { setUpChanged } from '#web/shared/settings.ts';
import { type Refusal, refuse, type Result, ok } from '#lib/result.ts';
import { announceScans } from '#web/shared/scanChannel.ts';
import { MAX_TRANSFER_BYTES, MAX_TRANSFER_MB, previewAnswer } from '../answers/file.ts';
import { TOO_LARGE, NO_JSON, type TransferFile } from '../rules/checkFile.ts';
import type { Known } from '#lib/contract/fields.ts';
import { parseJson } from '#lib/json.ts';
import { ApiError, messageOf, readAnswer, readerOf, request } from '#web/api/client.ts';
import { saveFile } from '#web/shared/copyText.ts';

export type Preview = Known<typeof previewAnswer>;
const read = readerOf(previewAnswer);

/** The choices: kinds to leave out, and whether active alerts are switched on. */
type Chosen = { without: ReadonlySet<TransferKindName>; switchOn: boolean };

/** A file with the choices, as sent to the server. */
type Asked = Chosen & { file: unknown; kinds: readonly TransferKindName[] };

const queryOf = ({ kinds, without, switchOn }: Asked) => ({
  kinds: kinds.filter((kind) => !without.has(kind)).join(','),
  switchOn: switchOn ? ('yes' as const) : ('no' as const),
});

// The server checks the content.
const bodyOf = ({ file }: Asked): TransferFile => file as TransferFile;

/** @returns why the export failed, or null on success */
export async function downloadSetUp(): Promise<string | null> {
  try {
    // Parsed before saving, because a truncated answer is not valid JSON.
    const data = readAnswer(await request('GET /api/settings/transfer'));
    const json = `${JSON.stringify(data, null, 1)}\n`;
    saveFile(new Blob([json], { type: 'application/json' }), 'bellbird-set-up.json');
    return null;
  } catch (problem) {
    return messageOf(problem, 'Your settings could not be exported. Try again.');
  }
}

async function readFile(file: File): Promise<Result<unknown>> {
  try {
    const parsed = parseJson(await file.text());
    return parsed.ok ? parsed : refuse(NO_JSON, 'file');
  } catch {
    return refuse('The file can’t be read on this device. Choose it again.');
  }
}

/** Shown if a proxy refuses the file, because its answer has no sentence. */
const PROXY_LIMIT = `The proxy in front of this server rejects files of this size. Its administrator can allow ${MAX_TRANSFER_MB} MB (nginx: client_max_body_size).`;

/** The refusal of a request. Field `file` means that the file itself is invalid, so that a retry does not help. */
function refusalOf(problem: unknown, fallback: string): Result<Preview> {
  const isOfFile = problem instanceof ApiError && (problem.status === 400 || problem.status === 413);
  const isOfProxy = problem instanceof ApiError && problem.status === 413;
  return refuse(messageOf(problem, isOfProxy ? PROXY_LIMIT : fallback), isOfFile ? 'file' : null);
}

async function fetchPreview(asked: Asked): Promise<Result<Preview>> {
  try {
    const query = queryOf(asked);
    return ok(await request('POST /api/settings/transfer/preview', { body: bodyOf(asked), query, read }));
  } catch (problem) {
    return refusalOf(problem, 'The preview could not be made. Try again.');
  }
}

/**
 * Imports a file.
 * @returns the result; if something changed since the preview, nothing is imported and the result is a new preview
 */
async function importFile(asked: Asked, seen: string): Promise<Result<Preview>> {
  try {
    const query = { ...queryOf(asked), seen };
    return ok(await request('POST /api/settings/transfer', { body: bodyOf(asked), query, read }));
  } catch (problem) {
    return refusalOf(problem, 'The import failed. Preview it again.');
  }
}

type Shown = {
  preview: Preview | null;
  /** Why there is no preview, or why the import failed. The field is `file` if the file itself is invalid. */
  error: Refusal | null;
  busy: 'looking' | 'taking' | null;
};

const ALL: Chosen = { without: new Set(), switchOn: false };

/** If the answer has no preview, the previous one stays. */
function shownAfter(answer: Result<Preview>, before: Preview | null): Shown {
  if (!answer.ok) return { preview: before, error: answer.error, busy: null };
  const { error } = answer.value;
  return {
    preview: answer.value,
    error: error === null ? null : { field: null, message: error },
    busy: null,
  };
}

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

  async begin(): Promise<void> {
    const read = this.file.size > MAX_TRANSFER_BYTES ? refuse(TOO_LARGE, 'file') : await readFile(this.file);
    if (!read.ok) {
      this.#shown.value = shownAfter(read, null);
      return;
    }
    this.#content = read.value;
    await this.preview(ALL);
  }

  /** Loads the preview for a choice; the previous preview stays until the answer. */
  async preview(chosen: Chosen = this.#chosen.peek()): Promise<void> {
    this.#turn += 1;
    const mine = this.#turn;
    this.#chosen.value = chosen;
    this.#show({ error: null, busy: 'looking' });
    const answer = await fetchPreview(this.#asked());
    // Ignored if a newer choice was made since.
    if (mine === this.#turn) this.#shown.value = shownAfter(answer, this.#shown.peek().preview);
  }

  async importFile(): Promise<void> {
    const { preview, busy } = this.#shown.peek();
    if (preview === null || busy !== null) return;
    this.#show({ error: null, busy: 'taking' });
    const answer = await importFile(this.#asked(), preview.seen);
    this.#shown.value = shownAfter(answer, preview);
    if (answer.ok && answer.value.isDone) {
      // Without a stream, nothing else notifies this window.
      setUpChanged();
      announceScans();
    }
  }

  #show(change: Partial<Shown>): void {
    this.#shown.value = { ...this.#shown.peek(), ...change };
  }

  #asked(): Asked {
    return { file: this.#content, ...this.#chosen.peek(), kinds: TRANSFER_KINDS };
  }
}

/** The kinds in their usual order; unknown kinds are hidden. */
const kindsOf = ({ kinds }: Preview): KindPreview[] =>
  TRANSFER_KINDS.flatMap((kind) => {
    const found = kinds.find((one) => one.kind === kind);
    return found ? [{ ...found, kind } as KindPreview] : [];
  });

export function FilePreview({ file, onClose }: { file: File; onClose(): void }): ReactNode {
  const [work] = useState(() => new FileWork(file));
  useEffect(() => void work.begin(), [work]);
  const { preview, error, busy } = work.shown.value;
  const place = useRef<HTMLElement>(null);
  const head = useRef<HTMLHeadingElement>(null);
  // Focused, so that keyboard users continue here, before the buttons.
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
      aria-labelledby="file-preview"
      aria-busy={busy !== null}
    >
      <h3 id="file-preview" ref={head} tabIndex={-1}>
        {isDone ? `Imported ${file.name}` : `Changes from ${file.name}`}
      </h3>
      {error !== null && (
        <Banner
          variant={preview === null ? 'error' : 'warn'}
          action={
            error.field !== 'file' && <Button onClick={() => void work.preview()}>Preview again</Button>
          }
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
    void work.preview({ ...chosen, without });
  };
  const hasAlerts = kinds.some(({ kind }) => kind === 'alerts' || kind === 'scanAlerts');
  return (
    <>
      {kinds.length === 0 && <EmptyState>This file contains nothing to import.</EmptyState>}
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
          label="Turn imported alerts on (otherwise they are imported switched off)"
          checked={chosen.switchOn}
          disabled={busy === 'taking'}
          onChange={(switchOn) => void work.preview({ ...chosen, switchOn })}
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
          {found.leftOut.map((note) => (
            <NotifiedLine key={note.text} note={note} before="Left out: " />
          ))}
          {found.notes.map((note) => (
            <NotifiedLine key={note.text} note={note} before="" />
          ))}
        </ul>
      )}
    </li>
  );
}

const NotifiedLine = ({ note, before }: { note: Note; before: string }): ReactNode => (
  <li>
    <span className="file-names">{`${before}${namesText(note)}`}</span> {note.text}
  </li>
);

function Foot({ work, onClose }: { work: FileWork; onClose(): void }): ReactNode {
  const { preview, busy } = work.shown.value;
  const count = preview === null ? 0 : importedCount(kindsOf(preview));
  const things = count === 1 ? '1 item' : `${count} items`;
  const isDone = preview?.isDone ?? false;
  return (
    <>
      <p className="muted" role="status">
        {isDone && `Imported ${things}.`}
        {busy === null &&
          preview !== null &&
          !isDone &&
          count === 0 &&
          'Everything in this file is already here.'}
      </p>
      <div className="wrap gap-2-3">
        {isDone ? (
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <>
            {count > 0 && (
              <Button variant="primary" disabled={busy !== null} onClick={() => void work.importFile()}>
                {busy === 'taking' ? 'Importing…' : `Import ${things}`}
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
