/** @jsxImportSource preact */
// Section “Gas”: the market of the network, live.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { toFailure, type Failure } from './action';
import { Chart, levelNames } from './chart';
import { Card, Facts, Pill, Section } from './components';
import { toShownGwei } from './format';
import { findSources, type Market } from './market';
import { useSession } from './session';

type Given = { market: Market | undefined };

export function Gas(): JSX.Element {
  const { config, provider } = useSession();
  const sources = useMemo(() => findSources(config, provider), [config, provider]);
  const names = Object.keys(sources);
  const [name, choose] = useState(names[0] ?? '');
  const [market, setMarket] = useState<Market>();
  const [problem, setProblem] = useState<Failure>();
  useEffect(() => {
    setProblem(undefined);
    return sources[name]?.({
      onMarket: (next) => {
        setMarket(next);
        setProblem(undefined);
      },
      onFailure: (error) => setProblem(toFailure(error)),
    });
  }, [sources, name]);
  return (
    <Section
      id="gas"
      title="Gas"
      lead="What a transaction pays now: the base fee of the last 60 blocks, and three levels to choose from."
    >
      <Card
        title="Base fee and levels, in gwei"
        aside={
          <fieldset class="choice">
            <legend class="hidden">Source</legend>
            {names.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="source"
                  checked={each === name}
                  onChange={() => choose(each)}
                />
                <span>{each}</span>
              </label>
            ))}
          </fieldset>
        }
      >
        <Chart market={market} />
        <div class="legend small soft">
          <span class="key base">base fee</span>
          <span class="key range">usual range of the base fee</span>
          <span class="key level">most that a level pays</span>
        </div>
        <Levels market={market} />
        <State market={market} />
        <Freshness market={market} problem={problem} />
        <PointTable market={market} />
      </Card>
    </Section>
  );
}

// What each level costs, and how long it takes.
function Levels({ market }: Given): JSX.Element {
  return (
    <ul class="levels">
      {levelNames.map((name) => {
        const level = market?.fees[name];
        const [fee, tip, wait] = level
          ? [
              toShownGwei(level.suggestedMaxFeePerGas),
              `tip ${toShownGwei(level.suggestedMaxPriorityFeePerGas)}`,
              describeWait(level.minWaitTimeEstimate, level.maxWaitTimeEstimate),
            ]
          : ['–', '–', '–'];
        return (
          <li key={name} class={`level-card ${name}`}>
            <h4>{name}</h4>
            <p class="level-fee num">
              {fee}
              <span> gwei</span>
            </p>
            <p class="small soft num">{tip}</p>
            <p class="small soft num">{wait}</p>
          </li>
        );
      })}
    </ul>
  );
}

function describeWait(min: number, max: number): string {
  const [from, to] = [min, max].map((ms) => Math.round(ms / 1_000)) as [number, number];
  if (to === 0) return 'at once';
  return from === to || from === 0 ? `up to ${to} s` : `${from} to ${to} s`;
}

// Congestion, base fee and trends.
function State({ market }: Given): JSX.Element {
  const { fees, points } = market ?? {};
  const baseFee = points?.at(-1)?.fee;
  const toWords = (trend: 'up' | 'down' | undefined): string =>
    trend === undefined ? '–' : trend === 'up' ? 'rising' : 'falling';
  const toPrice = (fee: bigint | undefined): string =>
    fee === undefined ? '–' : `${toShownGwei(fee)} gwei`;
  return (
    <div class="market">
      <Gauge congestion={fees?.networkCongestion} />
      <Facts
        class="market-facts"
        facts={[
          ['Base fee', toPrice(baseFee), 'num'],
          ['Next block', toPrice(fees?.estimatedBaseFee), 'num'],
          ['Base fees are', toWords(fees?.baseFeeTrend)],
          ['Priority fees are', toWords(fees?.priorityFeeTrend)],
        ]}
      />
    </div>
  );
}

/** Length of the gauge's arc: half a circle with a radius of 40. */
const ARC = Math.PI * 40;

function Gauge({ congestion }: { congestion: number | undefined }): JSX.Element {
  const percent = Math.round((congestion ?? 0) * 100);
  const words = describeCongestion(congestion);
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

// Of a number from 0 to 1.
function describeCongestion(congestion: number | undefined): string {
  if (congestion === undefined) return 'not known';
  if (congestion < 0.34) return 'quiet';
  return congestion < 0.67 ? 'normal' : 'busy';
}

function Freshness({
  market,
  problem,
}: Given & { problem: Failure | undefined }): JSX.Element {
  const now = useNow();
  return (
    <div class="freshness">
      <p class="small soft num">
        {market
          ? `Levels from ${market.from}, ${describeAge(now - market.at)}`
          : 'Asking …'}
      </p>
      <p class="freshness-problem small" role="status">
        {problem && (
          <>
            <Pill tone="bad">Trying again</Pill> {problem.code} {problem.message}
          </>
        )}
      </p>
    </div>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function describeAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 2) return 'just now';
  return seconds < 120 ? `${seconds} s ago` : `${Math.round(seconds / 60)} min ago`;
}

// The chart's figures as a table.
function PointTable({ market }: Given): JSX.Element {
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
