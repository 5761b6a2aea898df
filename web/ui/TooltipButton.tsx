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

/** Where a text was opened. */
type Opened = { style: { left: number; top: number }; text: string | null };

/** The tooltip is at most this wide; beside the right edge of the window it begins further left. */
const MAX_WIDTH = 340;
const MARGIN = 8;

function placeUnder(button: Element): Opened['style'] {
  const { left, bottom } = button.getBoundingClientRect();
  return { left: Math.max(MARGIN, Math.min(left, window.innerWidth - MAX_WIDTH - MARGIN)), top: bottom + 4 };
}

const show = (popover: HTMLElement | null): void => popover?.showPopover?.();

/**
 * A mark with a tooltip for places that clip what stands out of them, such as a table's rows: the tooltip is in the top
 * layer, and in the page only while it is open. Opens under the pointer, with the focus and by a tap; Escape closes it.
 */
export function TooltipButton({ label, text, inTabOrder, children }: TooltipButtonProps): ReactNode {
  const [opened, setOpened] = useState<Opened | null>(null);
  // A table's line may show another row meanwhile: what was opened is not what its mark says now.
  const shown = opened?.text === text ? opened : null;
  const open = (event: { currentTarget: Element }) =>
    setOpened({ style: placeUnder(event.currentTarget), text });
  const close = () => setOpened(null);
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = shown !== null;
  useEffect(() => {
    if (!isOpen) return;
    // Not every browser for touch moves the focus with a tap, so losing it is not enough.
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || !button.current?.contains(target)) setOpened(null);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || shown === null) return;
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
      {text !== null && shown !== null && (
        <span ref={show} popover="manual" className="tooltip-floating" role="tooltip" style={shown.style}>
          {text}
        </span>
      )}
    </button>
  );
}
