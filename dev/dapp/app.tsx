/** @jsxImportSource preact */
// The companion page: its head, its navigation, its sections.
import type { JSX } from 'preact';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { createProvider, type Provider, type Status } from '../../src/provider';
import { Accounts } from './accounts';
import { Pill, type Tone } from './components';
import { nameChain, shorten } from './format';
import { Gas } from './gas';
import { Install } from './install';
import { Methods } from './methods/methods';
import { Requests } from './requests';
import { Send } from './send';
import {
  loadConfig,
  SessionContext,
  useSession,
  useSessionStore,
  type PageConfig,
  type Session,
} from './session';

const sections = [
  ['install', 'Install', Install],
  ['accounts', 'Accounts', Accounts],
  ['requests', 'Requests', Requests],
  ['gas', 'Gas', Gas],
  ['send', 'Send', Send],
  ['methods', 'Methods', Methods],
] as const;

function App(props: { config: PageConfig; provider: Provider }): JSX.Element {
  const session = useSessionStore(props.config, props.provider);
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
          {isDrawn ? (
            sections.map(([id, , View]) => <View key={id} />)
          ) : (
            <p class="undrawn">Looking for MetaMask …</p>
          )}
        </main>
      </div>
    </SessionContext.Provider>
  );
}

/** After this time the sections are drawn even if their content is not known, in ms. */
const LATE_MS = 1_500;

// Sections are drawn once their content is known, so that nothing moves.
function useDrawn({ status, problem }: Session): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  const isDrawn = status !== undefined || problem !== undefined || isLate;
  useEffect(() => {
    if (isDrawn) document.getElementById(findTarget())?.scrollIntoView();
  }, [isDrawn]);
  return isDrawn;
}

// A link leads to a section or, from MetaMask, to a request that waits.
function findTarget(): string {
  const { hash, search } = window.location;
  return new URLSearchParams(search).has('request') ? 'requests' : hash.slice(1);
}

const states: Record<Status['state'], readonly [Tone, string]> = {
  'no-metamask': ['bad', 'No MetaMask'],
  'no-flask': ['bad', 'Flask needed'],
  'not-installed': ['warn', 'Not installed'],
  outdated: ['warn', 'Outdated'],
  disabled: ['bad', 'Disabled'],
  ready: ['good', 'Ready'],
};

function Head(): JSX.Element {
  const { status, problem, chainId, accounts, selected, select } = useSession();
  const unknown = problem
    ? (['bad', 'Unknown'] as const)
    : (['quiet', 'Looking …'] as const);
  const [tone, words] = status ? states[status.state] : unknown;
  return (
    <header class="head">
      <div class="head-row">
        <img src="icon.svg" alt="" width="36" height="36" />
        <h1>Tollkeeper</h1>
        <p class="head-state" role="status">
          <span class="hidden">State: </span>
          <Pill tone={tone}>{words}</Pill>
        </p>
        <p class="head-chain">
          <span class="hidden">Network: </span>
          {chainId === undefined ? 'No network' : nameChain(chainId)}
        </p>
        <label class="head-account">
          <span class="hidden">Account</span>
          <select
            value={selected?.id ?? ''}
            disabled={accounts.length === 0}
            onChange={({ currentTarget }) => select(currentTarget.value)}
          >
            {accounts.length === 0 && <option value="">No account</option>}
            {accounts.map(({ id, type, address }) => (
              <option key={id} value={id}>
                {shorten(address)}
                {type === 'eip155:eoa' ? '' : ' smart'}
              </option>
            ))}
          </select>
        </label>
      </div>
    </header>
  );
}

function Navigation({ isDrawn }: { isDrawn: boolean }): JSX.Element {
  const current = useCurrent(isDrawn);
  return (
    <nav class="nav" aria-label="Sections">
      <ul>
        {sections.map(([id, name]) => (
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
  const [current, setCurrent] = useState<string>(sections[0][0]);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const crossing = entries.find(({ isIntersecting }) => isIntersecting);
        if (crossing) setCurrent(crossing.target.id);
      },
      { rootMargin: '-30% 0px -70% 0px' },
    );
    for (const [id] of sections) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [isDrawn]);
  return current;
}

const root = document.querySelector('#page');
const config = await loadConfig();
if (root) {
  const { snapId, version } = config;
  render(<App config={config} provider={createProvider({ snapId, version })} />, root);
}
