import BellPlusIcon from 'lucide-react/icons/bell-plus';
import XIcon from 'lucide-react/icons/x';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { OPERATOR_WORDS } from '#subjects/conditions/rules/logicText.ts';
import { crossingAt, stepsFrom } from '#subjects/alerts/rules/crossingAt.ts';
import { roundToStep } from '#market/rules/priceStep.ts';
import { Button, IconButton } from '#ui/Button.tsx';
import type { AlertOffer } from './types.ts';

/** Price steps per page key. */
const PAGE = 10;

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: PAGE,
  PageDown: -PAGE,
};

/** The price after a key press, AUD; null if the cursor does not use the key. */
function movedPrice(key: string, price: number): number | null {
  const steps = STEPS[key];
  return steps === undefined ? null : stepsFrom(price, steps);
}

type PriceCursorProps = {
  label: string;
  offer: AlertOffer;
  price: number | null;
  onPrice(price: number | null): void;
  /** The element that gets `--cursor-top`. */
  place: RefObject<HTMLDivElement | null>;
};

/** The slider's maximum is this many times the price. */
const REACH = 10;

/**
 * The price cursor and the alert that can be set there. The arrows move it by a price step, the page keys by
 * ten. Enter sets an alert, Escape removes the cursor.
 */
export function PriceCursor({ label, offer, price, onPrice, place }: PriceCursorProps): ReactNode {
  const { current } = offer;
  const at = price ?? roundToStep(current);
  const crossing = crossingAt(at, current);
  const words = `${OPERATOR_WORDS[crossing.op]} ${priceText(crossing.price)}`;

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = movedPrice(event.key, at);
    if (moved !== null) onPrice(moved);
    else if (event.key === 'Enter' && price === null) onPrice(at);
    else if (event.key === 'Enter') offer.ask(crossing);
    else if (event.key === 'Escape' && price !== null) onPrice(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className="price-cursor" ref={place} data-shown={price !== null || undefined}>
      <div
        className="price-cursor-slider"
        role="slider"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={`${label}: price of an alert`}
        aria-valuemin={0}
        aria-valuemax={Math.max(current, at) * REACH}
        aria-valuenow={at}
        aria-valuetext={`${priceText(at)}: ${price === null ? 'the arrows choose another price' : `Enter sets an alert when it ${words}`}`}
        onKeyDown={press}
      />
      {price !== null && (
        <Offer words={words} onAsk={() => offer.ask(crossing)} onLeave={() => onPrice(null)} place={place} />
      )}
    </div>
  );
}

type OfferProps = Pick<PriceCursorProps, 'place'> & { words: string; onAsk(): void; onLeave(): void };

function Offer({ words, onAsk, onLeave, place }: OfferProps): ReactNode {
  const leave = (): void => {
    // The button disappears, so the focus moves to the chart's bars.
    place.current?.parentElement?.querySelector<HTMLElement>('[role="slider"]')?.focus();
    onLeave();
  };
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    leave();
  };
  return (
    <div className="price-cursor-offer rounded on-raised" onKeyDown={escape}>
      <Button onClick={onAsk}>
        <BellPlusIcon size={14} aria-hidden />
        Alert me: {words}
      </Button>
      <IconButton label="Set no alert here" onClick={leave}>
        <XIcon size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
