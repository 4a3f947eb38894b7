import { findFirstStep } from '../../../../dev/dapp/methods/given';
import type { Given } from '../../../../dev/dapp/methods/given';
import { permissions } from '../../../../src/handlers/permissions';
import { given, operation, rowOf, rows } from '../../../support/dapp-given';

const nothing: Given = { snapId: given.snapId, recipient: given.recipient };

it('has a form for every method that sites may call, and for no other', () => {
  const open = Object.entries(permissions.rpc).filter(([, callers]) =>
    callers.includes('dapp'),
  );
  expect(rows.map(({ name }) => name).sort()).toStrictEqual(
    open.map(([name]) => name).sort(),
  );
});

it.each(rows.map(({ name }) => name))('makes an example without gaps: %s', (name) => {
  const { example, needs } = rowOf(name);
  expect(findFirstStep(needs, given)).toBeUndefined();
  const text = JSON.stringify(example(given));
  expect(JSON.parse(text)).toStrictEqual(example(given));
  expect(text).not.toMatch(/null|undefined|0x…|""/u);
});

it.each([
  ['eth_chainId', undefined],
  ['gas_suggestedGasFees', 'Connect to MetaMask first: its network is not known yet.'],
  ['personal_sign', 'Create an ordinary account and connect this site to it first.'],
  [
    'eth_signUserOperation',
    'Use eth_prepareUserOperation first: its answer is filled in here.',
  ],
  [
    'eth_getTransactionReceipt',
    'Send a transaction first: its hash is filled in here.',
  ],
])('says what to do before there is an example: %s', (name, step) => {
  expect(findFirstStep(rowOf(name).needs, nothing)).toBe(step);
});

it('sends an operation that was signed, else what is to be done', () => {
  const { example } = rowOf('eth_sendUserOperation');
  expect(example(given)).toStrictEqual({
    account: given.smart?.address,
    scope: 'eip155:31337',
    params: [{ to: given.recipient, value: '0x38d7ea4c68000', data: '0x' }],
  });
  expect(example({ ...given, signed: operation })).toStrictEqual([
    operation,
    '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  ]);
});

describe('what forms learn', () => {
  const levels = { medium: { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x4' } };
  const learn = async (name: string, result: unknown): Promise<unknown> => {
    const row = rowOf(name);
    const params = row.example(given);
    return row.learn?.({ params, result, given }, () => Promise.resolve(levels));
  };

  it('is an operation, once it is prepared', async () => {
    const prepared = {
      callData: '0x01',
      initCode: '0x02',
      nonce: '0x3',
      gasLimits: {
        callGasLimit: '0x6',
        verificationGasLimit: '0x7',
        preVerificationGas: '0x8',
      },
      dummySignature: '0x09',
      dummyPaymasterAndData: '0x0a',
      bundlerUrl: 'https://bundler.example',
    };
    expect(await learn('eth_prepareUserOperation', prepared)).toStrictEqual({
      operation: {
        sender: given.smart?.address,
        nonce: '0x3',
        initCode: '0x02',
        callData: '0x01',
        ...prepared.gasLimits,
        ...levels.medium,
        paymasterAndData: '0x0a',
        signature: '0x09',
      },
      signed: undefined,
    });
  });

  it.each([
    [
      'eth_patchUserOperation',
      { paymasterAndData: '0x0b' },
      { operation: { ...operation, paymasterAndData: '0x0b' } },
    ],
    ['eth_signUserOperation', '0x0c', { signed: { ...operation, signature: '0x0c' } }],
    [
      'eth_sendUserOperation',
      '0x0d',
      { operationHash: '0x0d', operation: undefined, signed: undefined },
    ],
    ['eth_signTransaction', { v: '0x0', raw: '0x0e' }, { raw: '0x0e' }],
    ['eth_sendRawTransaction', '0x0f', { transactionHash: '0x0f', raw: undefined }],
    ['eth_sendTransaction', '0x10', { transactionHash: '0x10' }],
    ['tollkeeper_replaceTransaction', '0x11', { transactionHash: '0x11' }],
    ['wallet_sendCalls', { id: 'x' }, { callsId: 'x' }],
  ])('is what the next forms need: %s', async (name, result, expected) => {
    expect(await learn(name, result)).toStrictEqual(expected);
  });
});
