import { getDocumentProxy } from 'unpdf';
import { MAX_TEXT } from './pdfText.ts';

/** Annual reports have hundreds of pages; covers and pictures contain no text. */
const MAX_PAGES = 60;

/** pdf.js writes warnings to standard output otherwise. */
const ERRORS_ONLY = 0;

/**
 * Extracts the text of a PDF page by page until there is enough. A document can use any time and memory, so run it only in
 * its own process.
 * @throws if it cannot be read or has a password
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
