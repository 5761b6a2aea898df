import { extractText } from '../subjects/announcements/server/summaries/pdf/extractText.ts';
import { EXIT } from './io.ts';

/**
 * Reads a PDF from the standard input and writes its text, as a JSON string, to the standard output.
 * @returns the exit code: failed when it can't be read
 */
export async function pdfText(): Promise<number> {
  try {
    const text = await extractText(await Bun.stdin.bytes());
    await Bun.write(Bun.stdout, JSON.stringify(text));
    return EXIT.ok;
  } catch {
    // What is wrong with somebody else's document is not worth a line: the caller says that it could not be read.
    return EXIT.failed;
  }
}
