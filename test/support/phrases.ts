import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { type Logic, type LogicKind, SCAN_LOGIC } from '#subjects/conditions/rules/condition.ts';
import { logicOf } from '#subjects/conditions/rules/draft.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import {
  type PhraseReading,
  type Proposal,
  readPhrase,
} from '#subjects/conditions/rules/phrases/readPhrase.ts';

export const PHRASE_CATALOG = builtInCatalog();
export const SECTORS = ['Energy', 'Financials', 'Materials', 'Software & Services', 'Health Care'];

export const reading = (
  text: string,
  { kind = SCAN_LOGIC, unavailable = [] }: { kind?: LogicKind; unavailable?: readonly string[] } = {},
): PhraseReading =>
  readPhrase(text, { catalog: PHRASE_CATALOG, unavailable: new Set(unavailable), sectors: SECTORS, kind });

export const logicOfProposals = (proposals: readonly Proposal[]): Logic =>
  logicOf(
    proposals.map(({ condition, group }, id) => ({ id, ...condition, ...(group === null ? {} : { group }) })),
  );

/** The parsed conditions of a phrase in words, and the parts that were not understood. */
export function meaningOf(text: string, more?: Parameters<typeof reading>[1]) {
  const { proposals, missed } = reading(text, more);
  return {
    means: logicText(logicOfProposals(proposals), PHRASE_CATALOG),
    unsaid: missed.map(({ said }) => said),
  };
}
