/** An object as JSON has it: its members are not known yet. */
export type JsonRecord = Record<string, unknown>;

/** True for a JSON object: neither null nor a list. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
