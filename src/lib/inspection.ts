export type StateType = 'map' | 'list' | 'object';

/** The state of a part, for the state inspector. */
export type Inspection<Summary extends Figures = Figures> = {
  label: string;
  description?: string;
  type?: StateType;
  /** A few figures, cheap enough to be read every second. */
  summary: Summary;
  /** Built on request. Maps and sets may be returned: only their first entries are read. */
  data(): unknown;
};

export type Figures = Readonly<Record<string, number | string | boolean | null>>;

/** A long list whose members are built as they are read. */
export class LongList {
  constructor(
    readonly size: number,
    readonly items: () => Iterable<unknown>,
  ) {}
}
