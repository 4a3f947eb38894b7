// The fuzzer's oracle must report each kind of fault.
import type { Json } from '@metamask/utils';

import { judge, see, type Sighting } from '../../../dev/fuzz/oracle';
import type { FuzzRequest } from '../../../dev/fuzz/routes';

const KEY = '5d'.repeat(32);

const [KEPT, OTHER] = ['kept-account', 'other-account'];

const HELD = [KEPT, OTHER];

function requestOf(
  request: FuzzRequest['request'],
  handler: FuzzRequest['handler'] = 'onRpcRequest',
  origin = 'https://dapp.example',
): FuzzRequest {
  return { handler, origin, request };
}

/** Judges a case that has only the given faults. */
function judgeWith(sighting: Partial<Sighting>): string | undefined {
  return judge({
    request: requestOf({ method: 'eth_accounts' }),
    outcome: { kind: 'answered', value: [] },
    isRunning: true,
    shown: [],
    accounts: { before: HELD, metamask: HELD, snap: HELD, alone: [], unsettled: [] },
    secrets: [KEY],
    ...sighting,
  })?.kind;
}

const refusal = (code: number, message: string, data: Json = null) =>
  ({ kind: 'refused', code, message, data }) as const;

function withAccounts(
  accounts: Partial<Sighting['accounts']>,
  request: FuzzRequest = requestOf({ method: 'eth_accounts' }),
): Partial<Sighting> {
  const all = { before: HELD, metamask: HELD, snap: HELD, alone: [], unsettled: [] };
  return { request, accounts: { ...all, ...accounts } };
}

const deletion = (id: string): FuzzRequest =>
  requestOf({ method: 'keyring_deleteAccount', params: { id } }, 'onKeyringRequest');

describe('judge', () => {
  it.each<[string, Partial<Sighting>]>([
    ['an answer', {}],
    ['a refusal', { outcome: refusal(-32602, 'params must be an array.') }],
    [
      'a worker that the platform ended',
      { isRunning: false, outcome: { kind: 'platform', message: 'x', isEnd: true } },
    ],
    ['a deletion', withAccounts({ metamask: [OTHER], snap: [OTHER] }, deletion(KEPT))],
    ['an account only in the snap', withAccounts({ metamask: [OTHER], alone: [KEPT] })],
    ['an unsettled account', withAccounts({ snap: [OTHER], unsettled: [KEPT] })],
    [
      'a key that the user exports',
      {
        request: requestOf({ method: 'keyring_exportAccount', params: { id: KEPT } }),
        outcome: { kind: 'answered', value: { privateKey: `0x${KEY}` } },
      },
    ],
  ])('passes %s', (_name, sighting) => {
    expect(judgeWith(sighting)).toBeUndefined();
  });

  const faults: Record<string, Record<string, Partial<Sighting>>> = {
    'worker died': {
      'a dead worker': { isRunning: false },
      'a dead worker that gave an error': {
        isRunning: false,
        outcome: refusal(-32602, 'x'),
      },
      'a dead worker that gave no answer': {
        isRunning: false,
        outcome: { kind: 'platform', message: 'x', isEnd: false },
      },
    },
    hung: { 'no answer': { outcome: { kind: 'hung' } } },
    'internal error': {
      'an internal error': {
        outcome: refusal(-32603, 'An internal error occurred in Tollkeeper.'),
      },
      'a call that MetaMask refuses': {
        outcome: refusal(-32002, 'MetaMask could not execute snap_dialog; try again.'),
      },
    },
    'secret shown': {
      'a secret in an answer': {
        outcome: { kind: 'answered', value: [{ deep: `0x${KEY.toUpperCase()}` }] },
      },
      'a secret in a message': { outcome: refusal(-32602, `${KEY} is no address.`) },
      'a secret in data': { outcome: refusal(-32602, 'x', { given: KEY }) },
      'a secret in a dialog': { shown: ['Sign this', `key ${KEY}`] },
      'a secret from the request': {
        request: requestOf({
          method: 'x',
          params: [{ apiKey: 'my-very-own-api-key' }],
        }),
        outcome: refusal(-32602, 'my-very-own-api-key is too short.'),
      },
      'a key given to an origin without permission': {
        outcome: { kind: 'answered', value: { privateKey: KEY } },
      },
    },
    'account lost': {
      'an account lost on both sides': withAccounts({
        metamask: [OTHER],
        snap: [OTHER],
      }),
      'an account lost in the snap': withAccounts({ snap: [OTHER] }),
      'an account lost in MetaMask': withAccounts({ metamask: [KEPT] }),
      'an account other than the one to delete': withAccounts(
        { metamask: [OTHER], snap: [OTHER] },
        deletion(OTHER),
      ),
      'an account that only one side was given': withAccounts({
        metamask: [...HELD, 'new-account'],
      }),
    },
  };

  describe.each(Object.entries(faults))('reports "%s"', (kind, sightings) => {
    it.each(Object.entries(sightings))('for %s', (_name, sighting) => {
      expect(judgeWith(sighting)).toBe(kind);
    });
  });

  it('allows a secret value that the request also contains elsewhere', () => {
    const value = 'said-in-the-open-as-well';
    const request = requestOf({ method: 'x', params: [{ apiKey: value }, value] });
    expect(
      judgeWith({ request, outcome: refusal(-32602, `${value}?`) }),
    ).toBeUndefined();
  });
});

describe('the observer', () => {
  const LIMIT_MS = 50;

  const failing = (thrown: unknown) => async (): Promise<never> => {
    await Promise.resolve();
    throw thrown;
  };

  it('sees an answer', async () => {
    expect(await see(async () => Promise.resolve([1]), LIMIT_MS)).toStrictEqual({
      kind: 'answered',
      value: [1],
    });
  });

  it('sees a missing answer', async () => {
    const never = new Promise(() => undefined);
    expect(await see(async () => never, LIMIT_MS)).toStrictEqual({ kind: 'hung' });
  });

  it.each([
    [
      { code: -32602, message: 'No.', data: { x: 1 } },
      { kind: 'refused', code: -32602, message: 'No.', data: { x: 1 } },
    ],
    [
      { code: -32603, message: 'Gone.' },
      { kind: 'refused', code: -32603, message: 'Gone.', data: null },
    ],
    [new Error('npm:x failed to respond to the request in time.'), { kind: 'hung' }],
    [
      new Error('Snap "x" is disabled.'),
      { kind: 'platform', message: 'Snap "x" is disabled.', isEnd: false },
    ],
    [
      { code: -32602, message: 'Invalid request params: event.type' },
      { kind: 'platform', message: 'Invalid request params: event.type', isEnd: true },
    ],
  ])('sees which side refused: %j', async (thrown, outcome) => {
    expect(await see(failing(thrown), LIMIT_MS)).toStrictEqual(outcome);
  });
});
