import { type ReactNode, useState } from 'react';
import { positionSize, sizeLine } from '#subjects/calls/rules/positionSize.ts';
import { Rested, sizeChoices, type SizeChoices } from '#subjects/calls/web/shared/size/sizeChoices.tsx';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { roundToStep } from '#market/rules/priceStep.ts';
import { formatNumber } from '#texts/format.ts';
import { late } from '#web/shared/lateStyles.ts';
import type { PointedPrice } from './types.ts';

const inLine = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const SizeDialog = late(() =>
  import('#subjects/calls/web/shared/size/size.tsx').then((code) => code.SizeDialog),
);

/** 'Stop 54.80: 240 shares, value $13,257.60, loss $96.00', or a hint, or why there is no position size. */
function readoutText(entry: number, at: number | null, limits: SizeChoices): string {
  if (at === null) return `Point below ${priceText(entry)} for a stop`;
  const stop = roundToStep(at);
  const levels = { entryPrice: entry, targetPrice: null, stopLossType: 'HARD', stopLoss: stop } as const;
  const position = { ...levels, isShort: false };
  const size = positionSize(position, limits);
  return `Stop ${priceText(stop)}: ${size.ok ? sizeLine(size.value) : inLine(size.error.message)}`;
}

export function SizeReadout({ entry, pointed }: { entry: number; pointed: PointedPrice }): ReactNode {
  const [isSizing, setSizing] = useState(false);
  const limits = sizeChoices.value;
  const text = readoutText(entry, pointed.hovered.value ?? pointed.picked, limits);
  return (
    <div className="size-readout cluster small">
      <button type="button" className="tool" onClick={() => setSizing(true)}>
        Risk ${formatNumber(limits.risk, (limits.risk ?? 0) % 1 === 0 ? 0 : 2)}
      </button>
      <span className="size-readout-text ellipsis two-lines muted" title={text} aria-hidden="true">
        {text}
      </span>
      <Rested text={text} />
      {isSizing && <SizeDialog onClose={() => setSizing(false)} />}
    </div>
  );
}
