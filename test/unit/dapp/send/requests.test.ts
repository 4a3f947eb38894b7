import { replace, sendBatch, sendOne } from '../../../../dev/dapp/send/requests';
import type { Request } from '../../../../dev/dapp/send/requests';

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const call = { to: address, value: '0x1', data: '0x' } as const;
const sender = { address, isSmart: false, chainId: '0x7a69' } as const;

function setup(answer: unknown): { request: Request; asked: unknown[] } {
  const asked: unknown[] = [];
  const request: Request = (args) => {
    asked.push(args);
    return Promise.resolve(answer);
  };
  return { request, asked };
}

it('sends a call of an ordinary account as a transaction', async () => {
  const { request, asked } = setup('0xaa');
  expect(await sendOne(call, sender, request)).toStrictEqual({
    kind: 'transaction',
    hash: '0xaa',
    chainId: '0x7a69',
  });
  expect(asked).toStrictEqual([
    {
      method: 'eth_sendTransaction',
      params: [{ from: address, ...call, chainId: '0x7a69' }],
    },
  ]);
});

it('sends a call of a smart account as a user operation', async () => {
  const { request, asked } = setup('0xaa');
  const sent = await sendOne(call, { ...sender, isSmart: true }, request);
  expect(sent).toStrictEqual({ kind: 'operation', hash: '0xaa', chainId: '0x7a69' });
  expect(asked).toStrictEqual([
    {
      method: 'eth_sendUserOperation',
      params: { account: address, scope: 'eip155:31337', params: [call] },
    },
  ]);
});

it.each([
  ['', {}],
  [
    ' https://pay.example ',
    { capabilities: { paymasterService: { url: 'https://pay.example' } } },
  ],
])('sends a batch, paid for by: %j', async (paymasterUrl, capabilities) => {
  const { request, asked } = setup({ id: 'x' });
  const batch = { calls: [call], isAtomic: true, paymasterUrl };
  expect(await sendBatch(batch, sender, request)).toStrictEqual({
    kind: 'calls',
    id: 'x',
  });
  expect(asked).toStrictEqual([
    {
      method: 'wallet_sendCalls',
      params: [
        {
          version: '2.0.0',
          from: address,
          chainId: '0x7a69',
          atomicRequired: true,
          calls: [call],
          ...capabilities,
        },
      ],
    },
  ]);
});

it('replaces a transaction', async () => {
  const { request, asked } = setup('0xbb');
  const pending = { hash: '0xaa', chainId: '0x7a69' } as const;
  expect(await replace(pending, 'cancel', request)).toStrictEqual({
    kind: 'transaction',
    hash: '0xbb',
    chainId: '0x7a69',
  });
  expect(asked).toStrictEqual([
    { method: 'tollkeeper_replaceTransaction', params: ['0xaa', { action: 'cancel' }] },
  ]);
});
