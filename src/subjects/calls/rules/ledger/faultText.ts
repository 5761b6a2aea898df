import type { Fault, FaultOf } from './check.ts';
import { lineNo } from './lineNo.ts';

const TOLD: Readonly<Record<FaultOf, string>> = {
  form: 'it is no line of a ledger',
  number: 'it has another number than its place',
  previous: 'it carries another hash than that of the line before',
  hash: 'its text has another hash than the one beside it',
  name: 'the name told beside it is not the one that it committed to',
  rationale: 'the rationale told beside it is not the one that it committed to',
  reason: 'the reason told beside it is not the one that it committed to',
};

/** 'The chain breaks at line 5: it carries another hash than that of the line before.' */
export const faultText = ({ number, of }: Fault): string =>
  `The chain breaks at ${lineNo(number)}: ${TOLD[of]}.`;
