/** @jsxImportSource preact */
// The page's head: the name, how far the user is, the network, the chosen account.
import type { JSX } from 'preact';

import type { Status } from '../../src/provider';
import { Pill } from './components';
import { nameChain, shorten } from './format';
import { useSession } from './session';

type Shown = { tone: 'good' | 'warn' | 'bad' | 'quiet'; words: string };

const states: Record<Status['state'], Shown> = {
  'no-metamask': { tone: 'bad', words: 'No MetaMask' },
  'no-flask': { tone: 'bad', words: 'Flask needed' },
  'not-installed': { tone: 'warn', words: 'Not installed' },
  outdated: { tone: 'warn', words: 'Outdated' },
  disabled: { tone: 'bad', words: 'Disabled' },
  ready: { tone: 'good', words: 'Ready' },
};

/** Draw the head. */
export function Head(): JSX.Element {
  const { status, problem, chainId, accounts, selected, select } = useSession();
  const unknown: Shown = problem
    ? { tone: 'bad', words: 'Unknown' }
    : { tone: 'quiet', words: 'Looking …' };
  const { tone, words } = status ? states[status.state] : unknown;
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
                {shorten(address)} {type === 'eip155:eoa' ? '' : '(smart)'}
              </option>
            ))}
          </select>
        </label>
      </div>
    </header>
  );
}
