import { SCANNER_KEYS } from '../scanners/rules/scanners.ts';
import type { Greeting } from '#platform/sse/answer.ts';
import type { OpeningStep } from '#platform/sse/client.ts';
import type { Snapshots } from './snapshots.ts';

/** A snapshot: in parts for our own page, whose first rows shall show soon; it may name the scanner that it begins with. */
function opening(request: Request, snapshots: Snapshots): OpeningStep {
  const { searchParams } = new URL(request.url);
  if (searchParams.get('parts') !== '1') return snapshots.whole();
  const named = searchParams.get('scanner');
  return snapshots.parts(SCANNER_KEYS.find((key) => key === named) ?? null);
}

/** What a client of the market's stream is given that can't just go on where it was. */
export const marketGreeting = (snapshots: Snapshots): Greeting => ({
  opening: (request) => opening(request, snapshots),
  refresh: () => snapshots.whole(),
});
