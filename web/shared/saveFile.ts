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
