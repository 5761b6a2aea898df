import BellPlusIcon from 'lucide-react/icons/bell-plus';
import XIcon from 'lucide-react/icons/x';
import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useRef } from 'react';
import { roundToStep } from '#market/rules/priceStep.ts';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { IconButton } from '#ui/Button.tsx';
import { movedPrice } from './movedPrice.ts';
import type { Drawing, UserLine } from './types.ts';

type PriceLevelsProps = {
  levels: readonly UserLine[];
  drawing: Drawing | null;
  /** The element whose children get their positions from the drawing. */
  place: RefObject<HTMLDivElement | null>;
};

/** Handles over the user's lines, by which they are dragged or moved with the keyboard. Fixed lines are only text. */
export function PriceLevels({ levels, drawing, place }: PriceLevelsProps): ReactNode {
  return (
    <div className="price-levels" ref={place}>
      {levels.map(({ onMove, ...level }) =>
        onMove ? (
          <Handle key={level.id} {...level} drawing={drawing} onMove={onMove} />
        ) : (
          <span key={level.id} className="visually-hidden">
            {level.label} {priceText(level.price)}
          </span>
        ),
      )}
    </div>
  );
}

type HandleProps = UserLine & Required<Pick<UserLine, 'onMove'>> & { drawing: Drawing | null };

/** `by` is the distance from the pointer to the line, px. */
type Drag = { from: number; by: number };

function useDrag({ price, drawing, onMove, onRemove, onAlert }: HandleProps) {
  const drag = useRef<Drag | null>(null);
  const end = (at: number): void => {
    if (drag.current === null) return;
    drag.current = null;
    drawing?.hold(false);
    onMove(at, true);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || drawing === null) return;
      const { top, height } = event.currentTarget.getBoundingClientRect();
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { from: price, by: top + height / 2 - event.clientY };
      drawing.hold(true);
    },
    onPointerMove({ clientY, currentTarget }: PointerEvent<HTMLElement>) {
      if (drag.current === null) return;
      const top = currentTarget.closest('.price-levels')?.getBoundingClientRect().top ?? 0;
      const at = drawing?.priceAt(clientY + drag.current.by - top) ?? null;
      // Below the first step there is no price.
      const next = at === null ? price : roundToStep(Math.max(0, at));
      if (next !== price) onMove(next, false);
    },
    onPointerUp: () => end(price),
    onPointerCancel: () => end(drag.current?.from ?? price),
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const moved = movedPrice(event.key, price);
      if (event.key === 'Escape' && drag.current !== null) end(drag.current.from);
      else if (moved !== null) onMove(moved, true);
      else if (event.key === 'Enter' && onAlert) onAlert();
      else if (event.key === 'Delete' && onRemove) remove(event.currentTarget, onRemove);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** Removes a line. Its handle disappears, so its focus moves to the chart's bars. */
function remove(from: Element, onRemove: () => void): void {
  from.closest('.price-chart-plot')?.querySelector<HTMLElement>('[role="slider"]')?.focus();
  onRemove();
}

/** Factor of the price that is the slider's maximum. */
const REACH = 10;

function Handle(props: HandleProps): ReactNode {
  const { label, price, tone, onAlert, onRemove } = props;
  const text = priceText(price);
  return (
    <div className="price-level" data-tone={tone}>
      <div
        className="price-level-handle"
        role="slider"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={price * REACH}
        aria-valuenow={price}
        aria-valuetext={text}
        {...useDrag(props)}
      />
      {onRemove && (
        <div className="price-level-tools rounded on-raised">
          {onAlert && (
            <IconButton label={`Alert me at ${text} (Enter)`} onClick={onAlert}>
              <BellPlusIcon size={14} aria-hidden />
            </IconButton>
          )}
          <IconButton
            label={`Remove the level ${text} (Delete)`}
            onClick={({ currentTarget }) => remove(currentTarget, onRemove)}
          >
            <XIcon size={14} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}
