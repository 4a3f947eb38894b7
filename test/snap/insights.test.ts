// The built snap beside the wallet's own confirmation, which has it draw an interface. What it says
// there is the subject of test/entry/insights.
import { encodeFunctionData, parseAbi, stringToHex } from 'viem';

import { FEE_ANSWERS } from '../support/fees';
import { DAPP, installBench } from '../support/snap-bench';
import type { SnapBench } from '../support/snap-bench';
import { TO } from '../support/transactions';
import { textOf, warningsOf } from '../support/view';

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

let snap: SnapBench['snap'];

beforeAll(async () => {
  ({ snap } = await installBench());
  for (const [method, result] of Object.entries(FEE_ANSWERS)) {
    snap.mockJsonRpc({ method, result });
  }
});

async function expectCritical(
  asking: ReturnType<SnapBench['snap']['onTransaction']>,
  warning: string,
): Promise<void> {
  const answer = await asking;
  expect(warningsOf(answer.getInterface().content)).toStrictEqual([warning]);
  expect(answer.response).toHaveProperty('result.severity', 'critical');
}

it('warns of a transaction that gives a whole collection away', async () => {
  const operator = TO.toLowerCase() as `0x${string}`;
  const data = encodeFunctionData({
    abi: parseAbi(['function setApprovalForAll(address operator, bool approved)']),
    args: [operator, true],
  });
  const transaction = { from: FROM, to: TO, value: '0x0', data, nonce: '0x1' } as const;
  const fees = {
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
  } as const;
  const asking = snap.onTransaction({ ...transaction, ...fees, origin: DAPP });
  await expectCritical(asking, textOf('alert.operator', { operator }));
});

it("warns of another site's sign-in", async () => {
  const signIn = [
    'bank.example wants you to sign in with your Ethereum account:',
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\nWelcome.\n\nURI: https://bank.example',
    'Version: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2020-01-01T00:00:00Z',
  ].join('\n');
  const asking = snap.onSignature({
    from: FROM,
    origin: DAPP,
    data: stringToHex(signIn),
    signatureMethod: 'personal_sign',
  });
  const values = { domain: 'bank.example', origin: DAPP };
  await expectCritical(asking, textOf('siwe.otherDomain', values));
});
