/** What JSON Schema says of a value beside its type, and `error`, the sentence that a refused one is answered with. */
export type FormOptions = Readonly<{
  description?: string;
  default?: unknown;
  minimum?: number;
  multipleOf?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  error?: string;
  additionalProperties?: boolean;
}>;

/** How a value looks on the wire, as plain data: the server makes its schemas of it, and tests make answers of it. */
export type Form =
  | { is: 'text' | 'time' | 'epochMs' | 'number' | 'integer' | 'boolean' | 'null' | 'anything' }
  /** Text in upper case. */
  | { is: 'capitals' }
  /** A number of an address, where it stands as text. */
  | { is: 'numeric' }
  | { is: 'literal'; of: boolean }
  | { is: 'choice'; of: readonly (string | number)[] }
  /** A calendar date, YYYY-MM-DD. */
  | { is: 'date' }
  /** The bytes of a file, which come instead of JSON. */
  | { is: 'file' }
  | { is: 'list' | 'map' | 'orNull' | 'optional'; of: Form }
  | { is: 'anyOf'; of: readonly Form[] }
  /** A form that many answers hold: the documentation shows it once, under its name. */
  | { is: 'named'; name: string; of: Form }
  | { is: 'object'; of: Readonly<Record<string, { readonly form: Form; readonly isOurs?: true }>> }
  /** Checked as `checkedAs` where the rules say which of these values are right. */
  | { is: 'sent'; of: Form; checkedAs?: Form; check: FormOptions | null; tell: FormOptions };
