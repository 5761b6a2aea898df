import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useRef } from 'react';
import { roundToStep } from '#market/rules/priceStep.ts';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { movedPrice } from './movedPrice.ts';
import type { Drawing, PriceLevel, PriceLevelProps } from './types.ts';

type PriceLevelsProps = Required<PriceLevelProps> & {
  drawing: Drawing | null;
  /** The element whose children get their positions from the drawing. */
  place: RefObject<HTMLDivElement | null>;
};

/** Handles over the user's lines, by which they are dragged or moved with the keyboard. */
export function PriceLevels({ levels, onLevel, drawing, place }: PriceLevelsProps): ReactNode {
  return (
    <div className="price-levels" ref={place}>
      {levels.map((level) => (
        <Handle
          key={level.id}
          level={level}
          drawing={drawing}
          onMove={(price, isDone) => onLevel(level.id, price, isDone)}
        />
      ))}
    </div>
  );
}

type HandleProps = {
  level: PriceLevel;
  drawing: Drawing | null;
  onMove(price: number, isDone: boolean): void;
};

/** `by` is the distance from the pointer to the line, px. */
type Drag = { from: number; by: number };

function useDrag({ level, drawing, onMove }: HandleProps) {
  const drag = useRef<Drag | null>(null);
  const end = (price: number): void => {
    if (drag.current === null) return;
    drag.current = null;
    drawing?.hold(false);
    onMove(price, true);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || drawing === null) return;
      const { top, height } = event.currentTarget.getBoundingClientRect();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { from: level.price, by: top + height / 2 - event.clientY };
      drawing.hold(true);
    },
    onPointerMove({ clientY, currentTarget }: PointerEvent<HTMLElement>) {
      if (drag.current === null) return;
      const top = currentTarget.parentElement?.getBoundingClientRect().top ?? 0;
      const price = drawing?.priceAt(clientY + drag.current.by - top) ?? null;
      // Below the first step there is no price.
      const next = price === null ? level.price : roundToStep(Math.max(0, price));
      if (next !== level.price) onMove(next, false);
    },
    onPointerUp: () => end(level.price),
    onPointerCancel: () => end(drag.current?.from ?? level.price),
    onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const moved = movedPrice(event.key, level.price);
      if (event.key === 'Escape' && drag.current !== null) end(drag.current.from);
      else if (moved !== null) onMove(moved, true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** Factor of the price that is the slider's maximum. */
const REACH = 10;

function Handle(props: HandleProps): ReactNode {
  const { label, price, tone } = props.level;
  return (
    <div
      className="price-level"
      data-tone={tone}
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={price * REACH}
      aria-valuenow={price}
      aria-valuetext={priceText(price)}
      {...useDrag(props)}
    />
  );
}
