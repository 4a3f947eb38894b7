// The insights of the built keyring snap; test/entry/insights.test.ts has all that they say.
import type { Json } from '@metamask/utils';
import type { Hex } from 'viem';

import { ALL, dataOf } from '../fixtures/trust/call';
import { permit } from '../fixtures/trust/shapes';
import { FEE_ANSWERS } from '../support/fees';
import { expectSilence, read } from '../support/insights';
import { DAPP, installBench } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { TO } from '../support/transactions';
import { textOf, warningsOf } from '../support/view';

const FROM: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

let snap: SnapBench['snap'];

beforeAll(async () => {
  ({ snap } = await installBench());
  const answers: Record<string, Json> = { ...FEE_ANSWERS, eth_chainId: '0x1' };
  snap.mockJsonRpc(({ method }) => answers[method]);
});

const transaction = {
  from: FROM,
  to: TO,
  value: '0x0',
  nonce: '0x1',
  maxFeePerGas: '0x77359400',
  maxPriorityFeePerGas: '0x3b9aca00',
  origin: DAPP,
} as const;

it('warns beside a transaction', async () => {
  const data = dataOf('setApprovalForAll(address,bool)', TO, true);
  const { content, severity } = await read(
    snap.onTransaction({ ...transaction, data }),
  );
  expect(warningsOf(content)).toStrictEqual([
    textOf('alert.operator', { operator: TO }),
  ]);
  expect(severity).toBe('critical');
});

it('warns beside a signature', async () => {
  const { content, severity } = await read(
    snap.onSignature({
      from: FROM,
      origin: DAPP,
      data: permit({ owner: FROM, value: String(ALL) }) as Record<string, Json>,
      signatureMethod: 'eth_signTypedData_v4',
    }),
  );
  expect(warningsOf(content)).toStrictEqual([
    textOf('typed.unlimited'),
    textOf('shape.permit'),
  ]);
  expect(severity).toBeNull();
});

it('is silent beside what it cannot read', async () => {
  await expectSilence(snap.onTransaction({ ...transaction, to: '0x12' }));
});
