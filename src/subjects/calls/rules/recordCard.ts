import { formatDate } from '#texts/format.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { againstMarketOf, formatRank, formatResult, formatShare, sourceLabel } from './callFormat.ts';
import { latestText, type LatestEntry } from './ledger/entry.ts';
import type { LeaderboardMetrics } from './types.ts';

type Known<T> = { [K in keyof T]: T[K] | null };

export type CardFacts = {
  name: string;
  source: string;
  metrics: Known<LeaderboardMetrics>;
  /** The ledger's latest entry when the record was read; its hash covers every call of the record. */
  head: LatestEntry;
  /** Epoch ms. */
  at: number;
  /** Addresses of the record and of the page that verifies the ledger. */
  address: string;
  verifyAddress: string;
};

/** The texts of a card that shows a track record with the proof of the ledger. */
export type CardTexts = {
  title: string;
  about: string;
  figures: [label: string, text: string][];
  proof: string[];
};

const DISCLAIMER =
  'Past results do not predict future results. General information only, not financial advice.';

export function cardTexts({ name, source, metrics, head, at, address, verifyAddress }: CardFacts): CardTexts {
  return {
    title: name,
    about: `Calls verified from recorded trades · ${sourceLabel(source)} · ${formatDate(sydneyDate(at))}`,
    figures: [
      ['Rank', formatRank(metrics)],
      ['Results', String(metrics.verified ?? 0)],
      ['Mean result', formatResult(metrics.averageVerified)],
      ['Against the market', formatResult(againstMarketOf(metrics))],
      ['Gained', formatShare(metrics.winRate)],
    ],
    proof: [address, `Ledger ${latestText(head)}`, `Verify: ${verifyAddress}`, DISCLAIMER],
  };
}

/** A card as lines of text, to paste next to its picture. */
export const cardText = ({ title, about, figures, proof }: CardTexts): string =>
  [title, about, ...figures.map(([label, text]) => `${label}: ${text}`), ...proof].join('\n');
