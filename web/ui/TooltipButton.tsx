import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import './TooltipButton.css';

export type TooltipButtonProps = {
  /** The button's accessible name. */
  label: string;
  /** The tooltip; also the button's description. Null for none. */
  text: string | null;
  inTabOrder: boolean;
  children: ReactNode;
};

type Place = { left: number; top: number };

/** The tooltip is at most this wide; beside the right edge of the window it begins further left. */
const MAX_WIDTH = 340;
const MARGIN = 8;

function placeUnder(button: Element): Place {
  const { left, bottom } = button.getBoundingClientRect();
  return { left: Math.max(MARGIN, Math.min(left, window.innerWidth - MAX_WIDTH - MARGIN)), top: bottom + 4 };
}

const show = (popover: HTMLElement | null): void => popover?.showPopover?.();

/**
 * A mark with a tooltip for places that clip what stands out of them, such as a table's rows: the tooltip is in the top
 * layer, and in the page only while it is open. Opens under the pointer, with the focus and by a tap; Escape closes it.
 */
export function TooltipButton({ label, text, inTabOrder, children }: TooltipButtonProps): ReactNode {
  const [place, setPlace] = useState<Place | null>(null);
  const open = (event: { currentTarget: Element }) => setPlace(placeUnder(event.currentTarget));
  const close = () => setPlace(null);
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = place !== null;
  useEffect(() => {
    if (!isOpen) return;
    // Not every browser for touch moves the focus with a tap, so losing it is not enough.
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || !button.current?.contains(target)) setPlace(null);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || place === null) return;
    event.stopPropagation();
    close();
  };
  return (
    <button
      ref={button}
      type="button"
      className="tooltip-button"
      aria-label={label}
      aria-description={text ?? undefined}
      tabIndex={inTabOrder ? 0 : -1}
      onPointerEnter={(event) => event.pointerType === 'mouse' && open(event)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && close()}
      onFocus={open}
      onBlur={close}
      onClick={open}
      onKeyDown={onKeyDown}
    >
      {children}
      {text !== null && place !== null && (
        <span ref={show} popover="manual" className="tooltip-floating" role="tooltip" style={place}>
          {text}
        </span>
      )}
    </button>
  );
}
