import { extractText } from '../subjects/announcements/server/summaries/pdf/extractText.ts';
import { EXIT } from './io.ts';

/**
 * Reads a PDF from standard input and writes its text to standard output as a JSON string.
 * @returns the exit code: failed if it can't be read
 */
export async function pdfText(): Promise<number> {
  try {
    const text = await extractText(await Bun.stdin.bytes());
    await Bun.write(Bun.stdout, JSON.stringify(text));
    return EXIT.ok;
  } catch {
    return EXIT.failed;
  }
}
