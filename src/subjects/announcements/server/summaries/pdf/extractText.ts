import { getDocumentProxy } from 'unpdf';
import { MAX_TEXT } from './pdfText.ts';

/** Annual reports have hundreds of pages; covers and pictures hold no text. */
const MAX_PAGES = 60;

/** pdf.js reports errors only; they would go to the standard output. */
const ERRORS_ONLY = 0;

/**
 * The text of a PDF, page after page until there is enough. It may take any time and memory, as the document likes: only
 * for a process of its own.
 * @throws when it can't be read, or has a password
 */
export async function extractText(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(bytes, { verbosity: ERRORS_ONLY });
  let text = '';
  for (let at = 1; at <= Math.min(pdf.numPages, MAX_PAGES) && text.length < MAX_TEXT; at += 1) {
    const page = await pdf.getPage(at);
    const { items } = await page.getTextContent();
    for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
    text += '\n';
    page.cleanup();
  }
  return text.slice(0, MAX_TEXT);
}
