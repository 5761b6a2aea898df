/** Whether the focused element itself handles keys: a field, a list or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type=radio],[type=checkbox]), textarea, select, [contenteditable], [role=dialog]',
    ) !== null
  );
}
