export type Sample = { labels?: Readonly<Record<string, string>>; value: number };

export type Metric = {
  /** Name by Prometheus's rules: letters, digits and _, with the unit at the end, and `_total` for a counter. */
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  samples: readonly Sample[];
};

/** Version 0.0.4 of the text format, which every collector reads. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapedLabel = (text: string): string => escapedHelp(text).replaceAll('"', '\\"');

function valueText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  // Rounded, to remove the errors of binary fractions.
  if (Number.isFinite(value)) return String(Number(value.toPrecision(12)));
  return value > 0 ? '+Inf' : '-Inf';
}

function sampleLine(name: string, { labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapedLabel(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${valueText(value)}`;
}

/** Metrics in the text format of Prometheus. Metrics without samples are left out. */
export function exposition(metrics: readonly Metric[]): string {
  const lines = metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${escapedHelp(help)}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => sampleLine(name, sample)),
    ]);
  return `${lines.join('\n')}\n`;
}

export const seconds = (ms: number): number => ms / 1000;

export const one = (name: string, type: Metric['type'], help: string, value: number): Metric => ({
  name,
  type,
  help,
  samples: [{ value }],
});

/** One sample per member; a label contains the member's name. */
export const each = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
