export type TooltipWords = {
  label: string;
  /** Text of the tooltip and the description; null for none. */
  text: string | null;
  inTabOrder: boolean;
};

export type TooltipButton = {
  element: HTMLButtonElement;
  setWords(words: TooltipWords): void;
  close(): void;
};

/** Maximum width, px. At the window's right edge the tooltip starts further left. */
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

/** The tooltip's element, which exists only while it is open. */
function createPopover(button: HTMLButtonElement, text: () => string | null) {
  let popover: HTMLElement | null = null;
  const onPointerDown = ({ target }: PointerEvent) => {
    // Blur is not enough, because touch browsers do not always move the focus on a tap.
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
 * A mark with a tooltip in the top layer, for containers that clip, such as table rows. Hover, focus and a tap open it;
 * Escape closes it. It does not use React, because table cells are written without it.
 */
export function createTooltipButton(mark: Node): TooltipButton {
  let shown: TooltipWords = { label: '', text: null, inTabOrder: false };
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'tooltip-button center';
  button.tabIndex = -1;
  button.append(mark);
  const { open, close, isOpen } = createPopover(button, () => shown.text);
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
    setWords: (words) => {
      const { label, text, inTabOrder } = words;
      if (label !== shown.label) button.setAttribute('aria-label', label);
      if (inTabOrder !== shown.inTabOrder) button.tabIndex = inTabOrder ? 0 : -1;
      if (text !== shown.text) {
        // The table's line may show another row now, so the open text would be wrong.
        close();
        if (text === null) button.removeAttribute('aria-description');
        else button.setAttribute('aria-description', text);
      }
      shown = words;
    },
  };
}
