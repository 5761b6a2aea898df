import { useState } from 'react';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#market/indicators/rules/timeframe.ts';
import type { Family, IndicatorChoice, ParamValue } from '#market/indicators/rules/types.ts';
import { refuse } from '#lib/result.ts';
import { defaultOf, normaliseParams } from '#market/indicators/rules/parameters.ts';

type Values = Readonly<Record<string, ParamValue>>;

function defaultValues({ params }: Family): Values {
  return Object.fromEntries(params.map((param) => [param.name, defaultOf(param)]));
}

function defaultTimeframes({ timeframes, defaultTimeframes: preferred }: Family): Timeframe[] {
  const first = preferred.filter((timeframe) => timeframes.includes(timeframe)).slice(0, 1);
  return first.length > 0 ? first : timeframes.slice(0, 1);
}

/** The parameters to save. Refuses a box that does not hold a number; its default is not used instead. */
function checkedParams(family: Family, values: Values): ReturnType<typeof normaliseParams> {
  const unread = family.params.find(({ name }) => Number.isNaN(values[name]));
  return unread ? refuse(`${unread.label} is not a number.`, unread.name) : normaliseParams(family, values);
}

/** The chosen timeframes of a family: its own until the user chooses. */
function useTimeframes(family: Family) {
  const [timeframes, setTimeframes] = useState<readonly Timeframe[]>(() => defaultTimeframes(family));
  const [isProposal, setProposal] = useState(true);
  const [isMissing, setMissing] = useState(false);
  return {
    timeframes,
    isProposal,
    isMissing,
    missed: () => setMissing(true),
    choose(chosen: readonly Timeframe[]): void {
      setMissing(false);
      setProposal(false);
      setTimeframes(chosen);
    },
  };
}

/** The parameters of a family while they are edited, from its defaults on. Mount it again for another family. */
export function useParameters(family: Family) {
  const [values, setValues] = useState(() => defaultValues(family));
  const { timeframes, isProposal, isMissing, missed, choose } = useTimeframes(family);
  const [delay, setDelay] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);

  /** One choice for each timeframe; null when something is missing or wrong, which is shown from then on. */
  const check = (): IndicatorChoice[] | null => {
    if (family.hasTimeframes && timeframes.length === 0) {
      missed();
      return null;
    }
    const params = checkedParams(family, values);
    if (!params.ok) {
      setProblem(params.error.message);
      return null;
    }
    const chosen = timeframes.length > 0 ? timeframes : [DEFAULT_TIMEFRAME];
    return chosen.map((tf) => ({ family: family.family, params: params.value, tf, delay }));
  };

  return {
    values,
    timeframes,
    /** The timeframe is the family's own; the user has chosen none yet. */
    isProposal,
    /** Bars back; 0 is now. */
    delay,
    problem,
    isTimeframeMissing: isMissing,
    setValue(name: string, value: ParamValue): void {
      setProblem(null);
      setValues((before) => ({ ...before, [name]: value }));
    },
    setTimeframes: choose,
    setDelay,
    check,
  };
}
