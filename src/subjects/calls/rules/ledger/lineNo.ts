/** 'line 1,234'. */
export const lineNo = (number: number): string => `line ${number.toLocaleString('en-AU')}`;
