import { memo, type ReactNode } from 'react';
import { type FlagShape, flagShapes } from '../flagShapes.ts';
import './Flag.css';

const draw = (shape: FlagShape, key: number): ReactNode => {
  const { kind, fill } = shape;
  if (kind === 'area') return <polygon key={key} points={shape.points} fill={fill} />;
  const { x, y } = shape;
  if (kind === 'disc') return <circle key={key} cx={x} cy={y} r={shape.radius} fill={fill} />;
  return <rect key={key} x={x} y={y} width={shape.width} height={shape.height} fill={fill} />;
};

/** A country's flag; nothing for a country without one. The code beside it is what is read out. */
export const Flag = memo(function Flag({ country }: { country: string }): ReactNode {
  const shapes = flagShapes(country);
  return (
    shapes !== null && (
      <svg className="flag" viewBox="0 0 18 12" aria-hidden="true" focusable="false" data-country={country}>
        {shapes.map(draw)}
      </svg>
    )
  );
});
