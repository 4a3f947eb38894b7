// The market as the chosen source tells it, and what is wrong with the source.
import { useEffect, useMemo, useState } from 'preact/hooks';

import { toFailure } from '../components';
import type { Failure } from '../components';
import { useSession } from '../session';
import type { Market } from './market';
import { findSources } from './sources';

/** What is known of the market. */
export type Watched = {
  /** Names of the sources, the preferred one first. */
  names: readonly string[];
  name: string;
  choose: (name: string) => void;
  /** The last that was told. */
  market: Market | undefined;
  /** Why nothing is told; it is tried again all the while. */
  problem: Failure | undefined;
};

/** Watch the market while the page is drawn. */
export function useMarket(): Watched {
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
  return { names, name, choose, market, problem };
}

/** Get the time, each second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
