import { getDocumentProxy } from 'unpdf';
import { MAX_TEXT } from './pdfText.ts';

/** Limit of pages. Annual reports have hundreds; covers and pictures contain no text. */
const MAX_PAGES = 60;

/** With other levels, pdf.js writes warnings to standard output. */
const ERRORS_ONLY = 0;

/**
 * Extracts the text of a PDF page by page until there is enough. A document can use any amount of time and memory, so
 * call this only in a separate process.
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
