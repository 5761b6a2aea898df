import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { showSnackbar } from '#ui/Snackbar.tsx';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, request } from '#web/api/client.ts';
import { copyText, saveFile } from '#web/shared/copyText.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { ledgerPage, type sourceRecord } from '../answers/board.ts';
import { type CardTexts, cardText, cardTexts } from '../rules/recordCard.ts';
import type { LatestEntry } from '../rules/ledger/entry.ts';
import { LEDGER_PATH, recordPath } from './parts/pageParts.tsx';

import './league.css';

type Source = Known<typeof sourceRecord>;

/** Size of the picture, as most chats show it. */
const [WIDTH, HEIGHT] = [1200, 630];
const EDGE = 60;

const fetchHead = async (): Promise<LatestEntry | null> =>
  (await request('GET /api/calls/ledger', { query: { limit: 1 }, read: readerOf(ledgerPage) })).head;

const addressOf = (path: string): string => `${window.location.href.split('#')[0]}#${path}`;

/** A text that fits, cut with an ellipsis if it must be. */
function fitted(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let cut = text;
  while (cut !== '' && pen.measureText(`${cut}…`).width > width) cut = cut.slice(0, -1);
  return `${cut}…`;
}

/** Draws the card in the colours of the current theme. */
function drawCard(canvas: HTMLCanvasElement, { title, about, figures, proof }: CardTexts): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const font = token('--font');
  const write = (text: string, x: number, y: number, size: number, colour: string, width: number): void => {
    pen.font = `${size >= 40 ? '600 ' : ''}${size}px ${font}`;
    pen.fillStyle = token(colour);
    pen.fillText(fitted(pen, text, width), x, y);
  };
  pen.fillStyle = token('--ground');
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = token('--accent');
  pen.fillRect(0, 0, WIDTH, 10);
  const wide = WIDTH - 2 * EDGE;
  write('Bellbird', EDGE, 76, 26, '--text-muted', wide);
  write(title, EDGE, 150, 60, '--text', wide);
  write(about, EDGE, 200, 26, '--text-muted', wide);
  const column = wide / 3;
  figures.forEach(([label, text], index) => {
    const x = EDGE + (index % 3) * column;
    const y = 270 + Math.floor(index / 3) * 106;
    write(label, x, y, 24, '--text-muted', column - 20);
    write(text, x, y + 46, 40, '--text', column - 20);
  });
  proof.forEach((text, index) => write(text, EDGE, 500 + index * 32, 21, '--text-muted', wide));
}

/** A picture of the record, with the latest entry of the ledger as proof, to save or copy. */
export function RecordCard({ name, record }: { name: string; record: Source | null }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (record === null) return null;
  return (
    <Disclosure label="Card to share" isOpen={isOpen} onToggle={setOpen}>
      {isOpen && <Card name={name} record={record} />}
    </Disclosure>
  );
}

function Card({ name, record }: { name: string; record: Source }): ReactNode {
  const { data: head, error, isLoading } = useLoaded(fetchHead, 'The ledger could not be loaded.');
  const canvas = useRef<HTMLCanvasElement>(null);
  const [at] = useState(() => Date.now());
  const texts =
    head &&
    cardTexts({
      name,
      source: record.source,
      metrics: record.metrics,
      head,
      at,
      address: addressOf(recordPath(name)),
      verifyAddress: addressOf(LEDGER_PATH),
    });
  useEffect(() => {
    if (canvas.current && texts) drawCard(canvas.current, texts);
  });
  if (error !== null) return <p>{error}</p>;
  if (texts === null) return <p className="muted">{isLoading ? 'Loading…' : 'The ledger is empty.'}</p>;
  const save = (): void =>
    canvas.current?.toBlob((blob) => {
      if (blob) saveFile(blob, `bellbird-${name.replace(/[^\p{L}\p{N}]/gu, '-')}.png`);
    });
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(cardText(texts), canvas.current?.parentElement ?? null);
    showSnackbar(isCopied ? 'Text copied.' : 'The text could not be copied. Save the picture instead.');
  };
  return (
    <div className="stack gap-2">
      <canvas
        ref={canvas}
        className="record-card"
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={cardText(texts)}
      />
      <div className="row gap-2">
        <Button onClick={save}>Save picture</Button>
        <Button onClick={() => void copy()}>Copy as text</Button>
      </div>
      <p className="muted prose small">
        The hash of the latest entry covers every call of this record. On the ledger’s page, anyone can check
        that the entry with this number has this hash.
      </p>
    </div>
  );
}
