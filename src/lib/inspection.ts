/** What a part tells of itself to whoever looks into the running server. */
export type Inspection<Summary extends Figures = Figures> = {
  /** What people call the part. */
  label: string;
  /** A few figures; cheap enough to be asked for every second. */
  summary: Summary;
  /** What the part holds, as JSON can carry it; made only when it is asked for. */
  data(): unknown;
};

export type Figures = Readonly<Record<string, number | string | boolean | null>>;
