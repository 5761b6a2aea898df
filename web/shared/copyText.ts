/**
 * Copies from a selected text field, because browsers offer the clipboard only over https or on localhost, and home
 * servers often use http.
 */
function copyBySelection(text: string, near: HTMLElement): boolean {
  const focused = document.activeElement;
  const box = document.createElement('textarea');
  box.value = text;
  box.readOnly = true;
  box.className = 'visually-hidden';
  // The class forbids line breaks, which the copy would lose.
  box.style.whiteSpace = 'pre';
  // Inserted in the dialog, which would take the focus back from an element outside.
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
 * @param near the element with the text; without a clipboard, a text field is inserted there briefly
 * @returns whether copying worked
 */
export async function copyText(text: string, near: HTMLElement | null): Promise<boolean> {
  // Its type says that it always exists, but it does not over http.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // The permission is missing; copying by selection needs none.
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
