/** What a mark says at a moment. */
export type TooltipWords = {
  /** The button's accessible name. */
  label: string;
  /** The tooltip; also the button's description. Null for none. */
  text: string | null;
  inTabOrder: boolean;
};

export type TooltipButton = {
  element: HTMLButtonElement;
  say(words: TooltipWords): void;
  /** Closes the tooltip: what it belongs to goes. */
  close(): void;
};

/** The tooltip is at most this wide; beside the right edge of the window it begins further left. */
const MAX_WIDTH = 340;
const MARGIN = 8;

function makePopover(button: Element, text: string): HTMLElement {
  const { left, bottom } = button.getBoundingClientRect();
  const popover = document.createElement('span');
  popover.setAttribute('popover', 'manual');
  popover.className = 'tooltip-floating';
  popover.setAttribute('role', 'tooltip');
  popover.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - MAX_WIDTH - MARGIN))}px`;
  popover.style.top = `${bottom + 4}px`;
  popover.textContent = text;
  return popover;
}

/** Opens and closes the tooltip of a button; it is in the page only while it is open. */
function createPopover(button: HTMLButtonElement, text: () => string | null) {
  let popover: HTMLElement | null = null;
  const onPointerDown = ({ target }: PointerEvent) => {
    // Not every browser for touch moves the focus with a tap, so losing it is not enough.
    if (!(target instanceof Node) || !button.contains(target)) close();
  };
  const close = () => {
    popover?.remove();
    popover = null;
    document.removeEventListener('pointerdown', onPointerDown);
  };
  const open = () => {
    const words = text();
    if (popover !== null || words === null) return;
    popover = makePopover(button, words);
    button.append(popover);
    popover.showPopover?.();
    document.addEventListener('pointerdown', onPointerDown);
  };
  return { open, close, isOpen: () => popover !== null };
}

/**
 * A mark with a tooltip for places that clip what stands out of them, such as a table's rows: the tooltip is in the top
 * layer. Opens under the pointer, with the focus and by a tap; Escape closes it. Made without React, as the cells that
 * it stands in are written past it.
 */
export function createTooltipButton(mark: Node): TooltipButton {
  let said: TooltipWords = { label: '', text: null, inTabOrder: false };
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'tooltip-button center';
  button.tabIndex = -1;
  button.append(mark);
  const { open, close, isOpen } = createPopover(button, () => said.text);
  button.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'mouse' && open());
  button.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && close());
  button.addEventListener('focus', open);
  button.addEventListener('blur', close);
  button.addEventListener('click', open);
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !isOpen()) return;
    event.stopPropagation();
    close();
  });
  return {
    element: button,
    close,
    say: (words) => {
      const { label, text, inTabOrder } = words;
      if (label !== said.label) button.setAttribute('aria-label', label);
      if (inTabOrder !== said.inTabOrder) button.tabIndex = inTabOrder ? 0 : -1;
      if (text !== said.text) {
        // A table's line may show another row meanwhile: what was opened is not what its mark says now.
        close();
        if (text === null) button.removeAttribute('aria-description');
        else button.setAttribute('aria-description', text);
      }
      said = words;
    },
  };
}
