/** @jsxImportSource preact */
// The page: its head, the way through it, its sections.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { Provider } from '../../src/provider';
import { Head } from './Head';
import { Accounts } from './accounts/Accounts';
import type { PageConfig } from './config';
import { Gas } from './gas/Gas';
import { Install } from './install/Install';
import { Methods } from './methods/Methods';
import { Requests } from './requests/Requests';
import { Send } from './send/Send';
import { SessionContext, useSessionStore } from './session';
import type { Session } from './session';

const places = [
  ['install', 'Install'],
  ['accounts', 'Accounts'],
  ['requests', 'Requests'],
  ['gas', 'Gas'],
  ['send', 'Send'],
  ['methods', 'Methods'],
] as const;

/** The sections are drawn without knowing what stands in them after so long, in ms. */
const LATE_MS = 1_500;

/** Draw the page. */
export function App({
  config,
  provider,
}: {
  config: PageConfig;
  provider: Provider;
}): JSX.Element {
  const session = useSessionStore(config, provider);
  const isDrawn = useDrawn(session);
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Head />
      <div class="frame">
        <Navigation isDrawn={isDrawn} />
        <main id="content" tabIndex={-1} data-state={session.status?.state}>
          {isDrawn ? <Sections /> : <p class="undrawn">Looking for MetaMask …</p>}
        </main>
      </div>
    </SessionContext.Provider>
  );
}

function Sections(): JSX.Element {
  return (
    <>
      <Install />
      <Accounts />
      <Requests />
      <Gas />
      <Send />
      <Methods />
    </>
  );
}

// The sections come when it is known what stands in them, so that nothing moves; but not late.
function useDrawn({ status, problem }: Session): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  const isDrawn = status !== undefined || problem !== undefined || isLate;
  useEffect(() => {
    if (isDrawn) document.getElementById(findPlace())?.scrollIntoView();
  }, [isDrawn]);
  return isDrawn;
}

// Where a link leads: to a section, or, from MetaMask, to a request that waits.
function findPlace(): string {
  const { hash, search } = window.location;
  if (new URLSearchParams(search).has('request')) return 'requests';
  return hash.slice(1);
}

function Navigation({ isDrawn }: { isDrawn: boolean }): JSX.Element {
  const current = useCurrent(isDrawn);
  return (
    <nav class="nav" aria-label="Sections">
      <ul>
        {places.map(([id, name]) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

// The section that crosses a line in the upper third of the window.
function useCurrent(isDrawn: boolean): string {
  const [current, setCurrent] = useState<string>(places[0][0]);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const crossing = entries.find(({ isIntersecting }) => isIntersecting);
        if (crossing) setCurrent(crossing.target.id);
      },
      { rootMargin: '-30% 0px -70% 0px' },
    );
    for (const [id] of places) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [isDrawn]);
  return current;
}
