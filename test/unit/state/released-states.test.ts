// What each version of the snap may have stored, kept as files: whoever updates from any of
// them keeps accounts, credentials, grants and what they chose, and can sign.
import { readdirSync, readFileSync } from 'node:fs';

import type { Json } from '@metamask/utils';
import { stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { openPrivateStore } from '../../../src/state/private-state';
import type { PrivateState } from '../../../src/state/private-state';
import { openPublicStore } from '../../../src/state/public-state';
import type { PublicState } from '../../../src/state/public-state';
import { callersOf } from '../../support/callers';
import { keyOfIndex } from '../../support/entropy';
import { submission } from '../../support/keyring-requests';
import { createMemoryBackend } from '../../support/memory-backend';
import { createTestApp } from '../../support/test-app';
import { createEdges } from '../../support/test-edges';

type Stored = Record<string, Json> & { version: number };

/** Read what was kept of a document, the oldest version first. */
function readStates(kind: 'private' | 'public'): Stored[] {
  const folder = `test/fixtures/state/${kind}`;
  return readdirSync(folder)
    .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Stored)
    .sort((one, other) => one.version - other.version);
}

const privateStates = readStates('private');
const publicStates = readStates('public');

/** What there was not in every version, as it is where nothing was chosen. */
const ABSENT = {
  unsettled: {},
  requests: {},
  activity: {},
  batches: [],
  signedOperations: [],
  refusals: {},
};

const DEFAULTS: PrivateState['settings'] = {
  approvalMode: 'synchronous',
  feeLevel: 'medium',
  secondConfirmation: false,
  notifications: true,
};

const versionsUpTo = (newest: number): number[] =>
  Array.from({ length: newest }, (_none, before) => before + 1);

describe('what is kept of stored states', () => {
  it('is one of every version, the one of today included', async () => {
    const today = [
      (await openPrivateStore(createMemoryBackend()).read()).version,
      (await openPublicStore(createMemoryBackend()).read()).version,
    ];
    const kept = [privateStates, publicStates].map((states) =>
      states.map(({ version }) => version),
    );
    expect(kept).toStrictEqual(today.map(versionsUpTo));
  });

  it('has something of all that its version stores', () => {
    for (const state of privateStates) {
      const empty = Object.entries(state).filter(
        ([, part]) => Object.keys(part as object).length === 0,
      );
      expect(empty.filter(([name]) => name !== 'version')).toEqual([]);
    }
  });
});

describe.each(privateStates.map((state) => [state.version, state] as const))(
  'the encrypted document of version %i',
  (_version, stored) => {
    it('is read with all that it had, and defaults for what it had not', async () => {
      const read = await openPrivateStore(createMemoryBackend(stored)).read();
      const settings = { ...DEFAULTS, ...(stored.settings as object) };
      expect(read).toStrictEqual({ ...ABSENT, ...stored, settings, version: 6 });
    });

    it('signs with an imported and with a derived account', async () => {
      // Without waiting for approval, which another test is about.
      const settings = { ...(stored.settings as object), approvalMode: 'synchronous' };
      const signing = stored.version === 1 ? stored : { ...stored, settings };
      const edges = { ...createEdges(), backend: createMemoryBackend(signing) };
      const { keyring } = callersOf(createTestApp(edges));
      const keys = [`0x${'ab'.repeat(32)}`, keyOfIndex(0)] as const;
      const accounts = Object.values((stored as unknown as PrivateState).accounts);
      const ordinary = accounts.filter(({ type }) => type === 'eip155:eoa');
      expect(ordinary).toHaveLength(2);
      for (const [place, { id, address }] of ordinary.entries()) {
        const params = [stringToHex('still mine'), address];
        const request = submission({ account: id, method: 'personal_sign', params });
        const { method, params: asked } = request;
        const answer = await keyring('metamask', method, asked);
        const owner = privateKeyToAccount(keys[place] as `0x${string}`);
        const signature = await owner.signMessage({ message: 'still mine' });
        expect(answer).toMatchObject({ result: signature });
      }
    });
  },
);

describe.each(publicStates.map((state) => [state.version, state] as const))(
  'the unencrypted document of version %i',
  (_version, stored) => {
    it('is read with all that it had, and defaults for what it had not', async () => {
      const read = await openPublicStore(createMemoryBackend(stored)).read();
      const absent: Partial<PublicState> = {
        session: 0,
        pendingSince: null,
        greeted: null,
      };
      expect(read).toStrictEqual({ ...absent, ...stored, version: 5 });
    });
  },
);
