import { t } from 'elysia';
import { DELIVERIES } from '../subjects/alerts/rules/alertView.ts';
import { TRIGGER_KINDS } from '../subjects/alerts/rules/triggerList.ts';
import { CHAT_PLATFORMS } from '../subjects/chats/rules/chatPlatform.ts';
import { OPERATORS } from '../subjects/conditions/rules/condition.ts';
import { HTF_FIELDS, HTF_PERIODS } from '../market/indicators/rules/htfCandle.ts';
import { SCAN_EVENTS } from '../subjects/alerts/rules/scanAlerts/scanAlert.ts';

/**
 * The forms of what routes send and take unchecked: the server made it of checked values, or a rule of the domain says
 * what is wrong with it. They stand here for readers; a test holds real answers against them.
 */
export const time = t.String({ format: 'date-time' });
export const timeOrNull = t.Nullable(time);
/** The form of `NAMED` of that name. */
const named = (name: 'Ref' | 'Logic' | 'Alert' | 'Column') =>
  t.Unsafe({ $ref: `#/components/schemas/${name}` });
export const oneOf = (values: readonly (string | null)[]) => t.Unsafe({ enum: values });

const paramValues = t.Record(t.String(), t.Unsafe({ type: ['string', 'number', 'null'] }));
const indicatorRef = t.Object({
  type: t.Literal('indicator'),
  family: t.String(),
  params: paramValues,
  tf: t.String(),
  key: t.Optional(t.String({ description: 'Follows from the parameters.' })),
  valueKey: t.String({ description: '`now`, or how many bars back.' }),
});
const htfRef = t.Object({
  type: t.Literal('htf'),
  period: oneOf(HTF_PERIODS),
  field: oneOf(HTF_FIELDS),
});

const fieldRef = t.Object({ type: t.Literal('field'), key: t.String() });
const scanRef = t.Object(
  {
    type: t.Literal('scan'),
    id: t.Integer(),
    name: t.Optional(t.String({ description: 'The server gives it; what is sent is not read.' })),
  },
  {
    description:
      'A saved scan of your own; in alerts only, at most four of them, and without crossings. With 0.5 on the right, ' +
      '`crosses_above` is entering it, `crosses_below` leaving it, `>` being in it, and `<` not being in it.',
  },
);
const number = t.Object({ type: t.Literal('number'), value: t.Number() });
const text = t.Object({ type: t.Literal('text'), values: t.Array(t.String()) });
const condition = t.Object({
  lhs: t.Union([indicatorRef, htfRef, fieldRef, scanRef]),
  op: oneOf(OPERATORS),
  rhs: t.Union([indicatorRef, htfRef, fieldRef, number, text]),
});
const anyGroup = t.Object({ op: t.Literal('OR'), conditions: t.Array(condition) });
const logicForm = t.Object({
  op: t.Literal('AND'),
  conditions: t.Array(t.Union([condition, anyGroup])),
});

export const ref = named('Ref');
export const logic = named('Logic');
export const alert = named('Alert');
export const column = named('Column');

export const destinations = t.Object({ telegram: t.Boolean(), discord: t.Boolean() });
const delivery = oneOf([...DELIVERIES, null]);
const alertForm = t.Object({
  id: t.Integer(),
  symbol: t.String(),
  name: t.Nullable(t.String()),
  active: t.Boolean(),
  persistent: t.Boolean(),
  logic_json: logic,
  destinations,
  last_triggered_at: timeOrNull,
  last_triggered_market_time: timeOrNull,
  version: t.Integer({ description: 'The version that a change is made on.' }),
  snoozed_until: timeOrNull,
  stopped_reason: t.Nullable(t.String()),
  note: t.Nullable(t.String({ description: 'Goes into its message.' })),
  expires_at: t.Nullable(
    t.String({ format: 'date-time', description: 'From then on it is off, by the market’s clock.' }),
  ),
  arms_in_ms: t.Nullable(
    t.Number({
      description: 'It was already true as it was saved, and fires in so many ms unless that is undone.',
    }),
  ),
  delivery,
  problem: t.Nullable(
    t.String({ description: 'What its conditions read that no longer exists, as a deleted scan.' }),
  ),
});
const side = t.Object({
  text: t.String(),
  value: t.Nullable(t.Number()),
  before: t.Optional(t.Nullable(t.Number())),
});
export const seen = t.Array(
  t.Object({ left: side, op: oneOf(OPERATORS), right: side, holds: t.Nullable(t.Boolean()) }),
);
export const evaluation = t.Object({
  at: timeOrNull,
  notEvaluated: t.Nullable(t.String()),
  conditions: seen,
  holds: t.Nullable(t.Boolean()),
});
export const trigger = t.Object({
  id: t.Integer(),
  timestamp: time,
  marketTime: time,
  seen,
  quoteTime: timeOrNull,
  source: t.String(),
  delayMinutes: t.Number(),
  deactivated: t.Boolean(),
  silent: t.Boolean(),
  delivery,
});

/** A trigger in the list of all. */
export const listedTrigger = t.Object({
  ...trigger.properties,
  kind: oneOf(TRIGGER_KINDS),
  alertId: t.Integer({
    description: 'Of the alert, or of the scan alert, by `kind`; ids count anew in each.',
  }),
  name: t.Nullable(t.String()),
  symbol: t.Nullable(t.String({ description: 'Null for a sum of several.' })),
  symbols: t.Array(t.String(), { description: 'Of a sum.' }),
  event: oneOf([...SCAN_EVENTS, null]),
  scan: t.Nullable(t.String({ description: 'What the scan was called then.' })),
  sent: t.Array(t.Object({ platform: oneOf(CHAT_PLATFORMS), delivery: oneOf(DELIVERIES) })),
});

/** What a person chooses of an alert. */
export const alertChoice = {
  name: t.Optional(t.Nullable(t.String())),
  active: t.Optional(t.Boolean()),
  persistent: t.Optional(t.Boolean()),
  destinations: t.Optional(t.Partial(destinations)),
  note: t.Optional(t.Nullable(t.String())),
  expires_at: t.Optional(timeOrNull),
};

const epochMs = t.Number({ description: 'Milliseconds since 1970.' });
export const scan = t.Object({
  id: t.Integer(),
  name: t.String(),
  logic,
  createdAt: epochMs,
  updatedAt: epochMs,
  problem: t.Optional(t.Nullable(t.String())),
});

const param = t.Object({
  name: t.String(),
  label: t.String(),
  type: oneOf(['enum', 'number', 'string', 'text']),
  values: t.Optional(t.Array(t.String())),
  min: t.Optional(t.Number()),
  max: t.Optional(t.Number()),
  step: t.Optional(t.Number()),
  default: t.Unsafe({ type: ['string', 'number', 'null'] }),
  required: t.Boolean(),
  readOnly: t.Boolean(),
  allowNone: t.Boolean(),
  noneLabel: t.Optional(t.String()),
});
const family = t.Object({
  family: t.String(),
  label: t.String(),
  fullName: t.String(),
  params: t.Array(param),
  defaultTimeframes: t.Array(t.String()),
  timeframes: t.Array(t.String()),
  tvPrefix: t.String(),
  tvSuffix: t.String(),
  separator: t.String(),
  ignoreParam: t.Nullable(t.String()),
  delaysAvailable: t.Array(t.Integer()),
  familySlug: t.String(),
  type: t.String(),
  hasTimeframes: t.Boolean(),
});
const choice = t.Object({ key: t.String(), label: t.String() });
export const indicatorCatalog = t.Object({
  catalog: t.Object({
    indicators: t.Record(t.String(), family),
    fields: t.Array(choice),
    fetchedAt: t.Nullable(epochMs),
  }),
  timeframes: t.Array(choice),
  unavailable: t.Array(t.String()),
});
export const customCatalog = t.Object({
  catalog: t.Object({
    families: t.Object({
      htf_candle: t.Object({
        family: t.Literal('htf_candle'),
        label: t.String(),
        fullName: t.String(),
        params: t.Array(param),
      }),
    }),
    version: t.Integer(),
  }),
});

const looks = {
  decimals: t.Optional(t.Union([t.Integer(), t.Literal('price')])),
  short: t.Optional(t.Boolean()),
  width: t.Optional(t.Number()),
};
const columnForm = t.Object({
  ...looks,
  id: t.String(),
  enabled: t.Boolean(),
  mandatory: t.Boolean(),
  type: oneOf(['base', 'indicator', 'custom']),
  label: t.String(),
  valueKey: t.Optional(t.String()),
  indicator: t.Optional(
    t.Object({ family: t.String(), params: paramValues, tf: t.String(), key: t.String() }),
  ),
  custom: t.Optional(
    t.Object({
      family: t.Literal('htf_candle'),
      params: t.Object({ period: t.String(), field: t.String() }),
      key: t.String(),
    }),
  ),
});
export const columnPreferences = t.Record(t.String(), t.Array(column), {
  description: 'The columns of each table that was changed, in their order.',
});
export const droppedColumns = t.Record(
  t.String(),
  t.Array(t.Object({ id: t.String(), reason: t.String() })),
  { description: 'What was left out of a saved table, and why.' },
);

export const valueUse = {
  indicatorValues: t.Object(
    { limit: t.Integer(), used: t.Integer() },
    {
      description:
        'How many indicator values the user may read in columns, scans and alerts, and how many are read.',
    },
  ),
  waitingColumns: t.Record(
    t.String(),
    t.Array(t.Object({ id: t.String(), label: t.String(), reason: t.String() })),
    { description: 'Columns that show nothing as their value is not served, by table, and why.' },
  ),
};

/** Forms that several routes share, by their names in the document. */
export const NAMED = {
  Ref: t.Union([indicatorRef, htfRef]),
  Logic: logicForm,
  Alert: alertForm,
  Column: columnForm,
};
