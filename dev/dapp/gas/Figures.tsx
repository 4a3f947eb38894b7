/** @jsxImportSource preact */
// The market in figures and words: congestion, trends, the three levels, the table.
import type { JSX } from 'preact';

import { toShownGwei } from '../format';
import { describeCongestion, describeTrend, describeWait, levelNames } from './market';
import type { Market } from './market';

/** Length of the gauge's arc: half a circle around a radius of 40. */
const ARC = Math.PI * 40;

type Given = { market: Market | undefined };

/** Draw congestion, base fee and trends. */
export function State({ market }: Given): JSX.Element {
  const { fees, points } = market ?? {};
  const baseFee = points?.at(-1)?.fee;
  return (
    <div class="market">
      <Gauge congestion={fees?.networkCongestion} />
      <dl class="facts market-facts">
        <dt>Base fee</dt>
        <dd class="num">
          {baseFee === undefined ? '–' : `${toShownGwei(baseFee)} gwei`}
        </dd>
        <dt>Next block</dt>
        <dd class="num">{fees ? `${toShownGwei(fees.estimatedBaseFee)} gwei` : '–'}</dd>
        <dt>Base fees are</dt>
        <dd>{fees ? describeTrend(fees.baseFeeTrend) : '–'}</dd>
        <dt>Priority fees are</dt>
        <dd>{fees ? describeTrend(fees.priorityFeeTrend) : '–'}</dd>
      </dl>
    </div>
  );
}

function Gauge({ congestion }: { congestion: number | undefined }): JSX.Element {
  const percent = Math.round((congestion ?? 0) * 100);
  const words = congestion === undefined ? 'not known' : describeCongestion(congestion);
  return (
    <div
      class={`gauge ${words}`}
      role="meter"
      aria-label="Congestion"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={congestion === undefined ? words : `${percent} %, ${words}`}
    >
      <svg viewBox="0 0 100 58" width="140" height="81" aria-hidden="true">
        <path class="gauge-back" d="M10 52a40 40 0 0 1 80 0" />
        <path
          class="gauge-value"
          d="M10 52a40 40 0 0 1 80 0"
          stroke-dasharray={`${(ARC * percent) / 100} ${ARC}`}
        />
        <text x="50" y="48" text-anchor="middle">
          {congestion === undefined ? '–' : `${percent} %`}
        </text>
      </svg>
      <span class="small" aria-hidden="true">
        Congestion: {words}
      </span>
    </div>
  );
}

/** Draw what each level costs, and how long it takes. */
export function LevelCards({ market }: Given): JSX.Element {
  return (
    <ul class="levels">
      {levelNames.map((name) => {
        const level = market?.fees[name];
        return (
          <li key={name} class={`level-card ${name}`}>
            <h4>{name}</h4>
            <p class="level-fee num">
              {level ? toShownGwei(level.suggestedMaxFeePerGas) : '–'}
              <span> gwei</span>
            </p>
            <p class="small soft num">
              {level
                ? `tip ${toShownGwei(level.suggestedMaxPriorityFeePerGas)}, ` +
                  describeWait(level.minWaitTimeEstimate, level.maxWaitTimeEstimate)
                : 'not known yet'}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** Draw the chart's figures as a table. */
export function PointTable({ market }: Given): JSX.Element {
  const points = [...(market?.points ?? [])].reverse();
  return (
    <details>
      <summary>Base fees as a table</summary>
      <div class="scroll table-place" tabIndex={0} role="group" aria-label="Base fees">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Block</th>
              <th scope="col">Base fee, gwei</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ block, fee }) => (
              <tr key={block}>
                <td class="num">{block}</td>
                <td class="num">{toShownGwei(fee, 9)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
