import { t } from 'elysia';

export const stateParams = t.Object({ key: t.String({ maxLength: 100 }) });

const figures = t.Record(t.String(), t.Union([t.Number(), t.String(), t.Boolean(), t.Null()]));

const told = { key: t.String(), label: t.String(), description: t.String(), type: t.String() };

export const sectionsAnswer = t.Object({
  sections: t.Array(t.Object({ ...told, stats: figures, error: t.Nullable(t.String()) })),
  /** Epoch ms. */
  fetchedAt: t.Integer(),
});

export const snapshotAnswer = t.Object({
  ...told,
  data: t.Unknown(),
  summary: figures,
  approxBytes: t.Integer(),
  approxHumanSize: t.String(),
  /** Epoch ms. */
  fetchedAt: t.Integer(),
});
