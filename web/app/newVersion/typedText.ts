const TEXT_BOXES = 'textarea, input:not([type=radio], [type=checkbox], [type=range])';

const typedInto = new WeakSet<EventTarget>();

/** Remembers which boxes somebody typed into. Returns the stop function. */
export function watchTyping(): () => void {
  const remember = ({ target }: Event) => {
    if (target) typedInto.add(target);
  };
  document.addEventListener('input', remember, true);
  return () => document.removeEventListener('input', remember, true);
}

/** Whether a text box on the page holds something that was typed into it, which a reload would lose. */
export const holdsTypedText = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXT_BOXES)].some(
    (box) => typedInto.has(box) && box.value !== '',
  );
