/**
 * Copies by a text box that is selected: browsers offer their clipboard only to pages that came by https or from this
 * machine, and a server at home is mostly reached otherwise.
 */
function copyBySelection(text: string, near: HTMLElement): boolean {
  const focused = document.activeElement;
  const box = document.createElement('textarea');
  box.value = text;
  box.readOnly = true;
  box.className = 'visually-hidden';
  // The class keeps words on one line, and what is copied would lose its line breaks with it.
  box.style.whiteSpace = 'pre';
  // Within the dialog, which takes the focus back from what is outside.
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
 * Puts a text on the clipboard.
 * @param near what the text comes from; where the browser offers no clipboard, a text box stands there for a moment
 * @returns whether it worked
 */
export async function copyText(text: string, near: HTMLElement | null): Promise<boolean> {
  // Its type says that it is always there.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // Refused, for want of a permission; the other way needs none.
    }
  }
  return copyBySelection(text, near ?? document.body);
}

/** How long the browser may take to begin with a file, ms. */
const BEGUN_WITHIN_MS = 10_000;

/** Has the browser save under a name what the page holds. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), BEGUN_WITHIN_MS);
}
