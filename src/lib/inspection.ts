/** The form of what a part holds, as people are told it. */
export type StateType = 'map' | 'list' | 'object';

/** What a part tells of itself to anyone who looks into the running server. */
export type Inspection<Summary extends Figures = Figures> = {
  /** What people call the part. */
  label: string;
  /** One sentence: what is shown of it. */
  description?: string;
  /** The form of `data`; an object when absent. */
  type?: StateType;
  /** A few figures; cheap enough to be asked for every second. */
  summary: Summary;
  /**
   * What the part holds; made only when it is asked for. Maps and sets may be given as they are: only the first entries
   * are read, and of the others their number.
   */
  data(): unknown;
};

export type Figures = Readonly<Record<string, number | string | boolean | null>>;

/** A list that is too long to be made whole for a look at it: its members are made as they are read. */
export class LongList {
  constructor(
    readonly size: number,
    readonly items: () => Iterable<unknown>,
  ) {}
}
