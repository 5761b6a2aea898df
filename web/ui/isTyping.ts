/** Whether the focused element uses the keys itself: a text box, a list, a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=radio],[type=checkbox]), textarea, select, [contenteditable], [role=dialog]',
    ) !== null
  );
}
