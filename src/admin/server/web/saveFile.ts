/** Lets the browser save what an address of this server gives; the page stays. */
export function saveFile(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  // Without it a refusal would take the place of the page.
  link.download = '';
  link.click();
}
