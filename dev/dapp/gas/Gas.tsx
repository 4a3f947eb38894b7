/** @jsxImportSource preact */
// The gas market, live.
import type { JSX } from 'preact';

import { Card, Pill, Section } from '../components';
import { Chart } from './Chart';
import { LevelCards, PointTable, State } from './Figures';
import { describeAge } from './market';
import { useMarket, useNow } from './use-market';
import type { Watched } from './use-market';

/** Draw the section. */
export function Gas(): JSX.Element {
  const watched = useMarket();
  const { market } = watched;
  return (
    <Section
      id="gas"
      title="Gas"
      lead="What a transaction pays now: the base fee of the last 60 blocks, and three levels to choose from."
    >
      <Card title="Base fee and levels, in gwei" aside={<Choice watched={watched} />}>
        <Chart market={market} />
        <div class="legend small soft">
          <span class="key base">base fee</span>
          <span class="key range">usual range of the base fee</span>
          <span class="key level">most that a level pays</span>
        </div>
        <LevelCards market={market} />
        <State market={market} />
        <Freshness watched={watched} />
        <PointTable market={market} />
      </Card>
    </Section>
  );
}

function Choice({
  watched: { names, name, choose },
}: {
  watched: Watched;
}): JSX.Element {
  return (
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
  );
}

function Freshness({
  watched: { market, problem },
}: {
  watched: Watched;
}): JSX.Element {
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
