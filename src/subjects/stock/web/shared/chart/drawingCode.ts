import type { MakeDrawing } from './types.ts';

let code: Promise<MakeDrawing> | null = null;

/**
 * The drawing library with what is made of it, fetched with the first chart.
 * @throws Error when it does not come; it is asked for again the next time
 */
export async function drawingCode(): Promise<MakeDrawing> {
  code ??= import('./drawing/createDrawing.ts').then(({ createDrawing }) => createDrawing);
  try {
    return await code;
  } catch (problem) {
    code = null;
    throw problem;
  }
}
