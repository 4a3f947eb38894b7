// The title of a request and the verb of its button, read from what it does.
import { maxUint256 } from 'viem';
import type { Hex } from 'viem';

import { findAct, findDocumentAct } from '../../../src/review/act';
import { decodeDocument } from '../../../src/review/documents';
import { readCall } from '../../../src/review/read';
import { dataOf } from '../../fixtures/trust/call';
import { translate } from '../../support/view';

const CHAIN = 'eip155:1';
const ACCOUNT = '0x1111111111111111111111111111111111111111';
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const SAFE = '0x2222222222222222222222222222222222222222';

const ETHER = 10n ** 18n;

const call = (to: Hex | null, data: Hex = '0x', value = 0n) =>
  readCall({ from: ACCOUNT, to, data, value });

const erc20 = (name: 'transfer' | 'approve', amount: bigint): Hex =>
  dataOf(`${name}(address,uint256)`, OTHER, amount);

const EXECUTE =
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)';

const safeCall = (to: Hex, value: bigint, data: Hex): Hex =>
  dataOf(EXECUTE, to, value, data, 0, 0n, 0n, 0n, OTHER, OTHER, '0x');

it.each<[string, string, ReturnType<typeof call>[]]>([
  ['Send 1.25 ETH', 'Send', [call(OTHER, '0x', (ETHER * 5n) / 4n)]],
  ['Send ≈ 1.23457 ETH', 'Send', [call(OTHER, '0x', 1_234_567_890_000_000_000n)]],
  [
    'Send 3 ETH in 2 payments',
    'Send',
    [call(OTHER, '0x', ETHER), call(SAFE, '0x', 2n * ETHER)],
  ],
  ['Send 250 USDC', 'Send', [call(USDC, erc20('transfer', 250_000_000n))]],
  ['Send tokens', 'Send', [call(OTHER, erc20('transfer', 250_000_000n))]],
  [
    'Send 250 USDC, and 1 more',
    'Send',
    [call(USDC, erc20('transfer', 250_000_000n), ETHER)],
  ],
  ['Allow 250 USDC', 'Allow', [call(USDC, erc20('approve', 250_000_000n))]],
  ['Allow unlimited USDC', 'Allow', [call(USDC, erc20('approve', maxUint256))]],
  ['Allow unlimited tokens', 'Allow', [call(OTHER, erc20('approve', maxUint256))]],
  ['Revoke an allowance', 'Revoke', [call(USDC, erc20('approve', 0n))]],
  [
    'Allow all NFTs of a collection',
    'Allow',
    [call(OTHER, dataOf('setApprovalForAll(address,bool)', OTHER, true))],
  ],
  [
    "Move another account's tokens",
    'Sign',
    [call(USDC, dataOf('transferFrom(address,address,uint256)', OTHER, ACCOUNT, 1n))],
  ],
  [
    'Change who controls a contract',
    'Sign',
    [call(OTHER, dataOf('transferOwnership(address)', OTHER))],
  ],
  ['Deploy a contract', 'Deploy', [call(null, '0x6001')]],
  [
    'Call an unknown function with 5 ETH',
    'Sign',
    [call(OTHER, '0x12345678', 5n * ETHER)],
  ],
  ['Call “deposit” with 1 ETH', 'Sign', [call(OTHER, dataOf('deposit()'), ETHER)]],
  [
    'Your Safe sends 30,000 USDC',
    'Sign',
    [call(SAFE, safeCall(USDC, 0n, erc20('transfer', 30_000_000_000n)))],
  ],
  [
    'Your Safe: Allow unlimited USDC',
    'Sign',
    [call(SAFE, safeCall(USDC, 0n, erc20('approve', maxUint256)))],
  ],
  [
    'Allow 250 USDC, and 1 more',
    'Sign',
    [
      call(USDC, erc20('approve', 250_000_000n)),
      call(USDC, erc20('transfer', 250_000_000n)),
    ],
  ],
  [
    'Allow 250 USDC',
    'Allow',
    [call(USDC, dataOf('multicall(bytes[])', [erc20('approve', 250_000_000n)]))],
  ],
])('says “%s”, and the button says “%s”', (title, verb, calls) => {
  const act = findAct(calls, CHAIN);
  expect([act.write(translate), translate(act.verb)]).toStrictEqual([title, verb]);
});

const document = (
  primaryType: string,
  message: Record<string, unknown>,
  contract: Hex = USDC,
) =>
  decodeDocument({
    types: {
      EIP712Domain: [],
      [primaryType]: Object.keys(message).map((name) => ({ name, type: 'bytes' })),
    },
    primaryType,
    domain: { chainId: 1, verifyingContract: contract },
    message: message as never,
  });

const permit = { owner: ACCOUNT, spender: OTHER, nonce: '0', deadline: '1' };

it.each<[string, string, ReturnType<typeof document>]>([
  ['Allow 250 USDC', 'Allow', document('Permit', { ...permit, value: '250000000' })],
  [
    'Allow unlimited USDC',
    'Allow',
    document('Permit', { ...permit, value: String(maxUint256) }),
  ],
  [
    'Allow unlimited USDC',
    'Allow',
    document('Permit', { holder: ACCOUNT, spender: OTHER, expiry: '0', allowed: true }),
  ],
  [
    'Allow 1 USDC, and 1 more',
    'Allow',
    document('PermitBatch', {
      details: [
        { token: USDC, amount: '1000000', expiration: '1' },
        { token: OTHER, amount: '1', expiration: '1' },
      ],
      spender: OTHER,
      sigDeadline: '1',
    }),
  ],
  [
    'Send 1 USDC',
    'Send',
    document('TransferWithAuthorization', {
      from: ACCOUNT,
      to: OTHER,
      value: '1000000',
      validBefore: '1',
    }),
  ],
  [
    'Your Safe sends 2 ETH',
    'Sign',
    document(
      'SafeTx',
      { to: OTHER, value: String(2n * ETHER), data: '0x', operation: '0' },
      SAFE,
    ),
  ],
  ['Sign typed data', 'Sign', document('Mail', { contents: 'Hello' })],
])('says “%s” of a document, and the button says “%s”', (title, verb, typed) => {
  const act = findDocumentAct(typed, ACCOUNT);
  expect([act.write(translate), translate(act.verb)]).toStrictEqual([title, verb]);
});

it('takes the words of a descriptor if the calls are not known', () => {
  const description = {
    intent: 'swap',
    fields: [],
    omitted: 0,
    calls: [],
    stated: [],
    sentence: 'Swap 1 ETH',
  };
  const swap = { ...call(OTHER, '0x12345678'), description };
  expect(findAct([swap], CHAIN)).toMatchObject({ isDescribed: true });
  expect(findAct([swap], CHAIN).write(translate)).toBe('Swap');
  const approval = { ...call(USDC, erc20('approve', maxUint256)), description };
  expect(findAct([approval], CHAIN).write(translate)).toBe('Allow unlimited USDC');
});
