/** @jsxImportSource preact */
// The page: its head, the way through it, its sections.
import type { JSX } from 'preact';

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

const places = [
  ['install', 'Install'],
  ['accounts', 'Accounts'],
  ['requests', 'Requests'],
  ['gas', 'Gas'],
  ['send', 'Send'],
  ['methods', 'Methods'],
] as const;

/** Draw the page. */
export function App({
  config,
  provider,
}: {
  config: PageConfig;
  provider: Provider;
}): JSX.Element {
  const session = useSessionStore(config, provider);
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Head />
      <div class="frame">
        <nav class="nav" aria-label="Sections">
          <ul>
            {places.map(([id, name]) => (
              <li key={id}>
                <a href={`#${id}`}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" tabIndex={-1} data-state={session.status?.state}>
          <Install />
          <Accounts />
          <Requests />
          <Gas />
          <Send />
          <Methods />
        </main>
      </div>
    </SessionContext.Provider>
  );
}
