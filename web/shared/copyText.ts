/**
 * Copies from a selected text box, because browsers offer the clipboard only over https or on localhost, and home
 * servers often use http.
 */
function copyBySelection(text: string, near: HTMLElement): boolean {
  const focused = document.activeElement;
  const box = document.createElement('textarea');
  box.value = text;
  box.readOnly = true;
  box.className = 'visually-hidden';
  // The class forbids line breaks, which the copy would then lose.
  box.style.whiteSpace = 'pre';
  // Inside the dialog, because it takes the focus back from outside.
  near.append(box);
  box.focus({ preventScroll: true });
  box.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    box.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}

/**
 * @param near the element with the text; without a clipboard, a text box is inserted there briefly
 * @returns whether it worked
 */
export async function copyText(text: string, near: HTMLElement | null): Promise<boolean> {
  // Its type says that it always exists.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // No permission; the other way needs none.
    }
  }
  return copyBySelection(text, near ?? document.body);
}

/** How long the browser may take to start reading a file, ms. */
const BEGUN_WITHIN_MS = 10_000;

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), BEGUN_WITHIN_MS);
}
